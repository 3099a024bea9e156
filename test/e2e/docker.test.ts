import { tellOn } from '../helpers/e2e-suite';
import { describeChanges } from './changes';
import { describeController } from './controller';
import { describeInside } from './inside';
import { describeLife } from './life';

tellOn('docker', describeLife, describeChanges, describeInside, describeController);
