import { describeKernelContract } from '../contract/kernel';
import { describeRuntimeContract } from '../contract/runtime';
import { endpointOf, openEngine } from '../helpers/engine-real';

const endpoint = endpointOf('docker');
if (endpoint === undefined) {
  it('is allowed to be missing here', () => {
    expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
  });
} else {
  describeRuntimeContract('Docker', () => openEngine('docker', endpoint));
  describeKernelContract('Docker', () => openEngine('docker', endpoint));
}
