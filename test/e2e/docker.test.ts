import { describeOn } from '../helpers/e2e-suite';
import { describeLife } from './life';

describeOn('docker', describeLife);
