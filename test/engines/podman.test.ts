import { describeKernelContract } from '../contract/kernel';
import { describeRuntimeContract } from '../contract/runtime';
import { endpointOf, openEngine } from '../helpers/engine-real';

const endpoint = endpointOf('podman');
if (endpoint === undefined) {
  it('is allowed to be missing here', () => {
    expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
  });
} else {
  describeRuntimeContract('Podman', () => openEngine('podman', endpoint));
  describeKernelContract('Podman', () => openEngine('podman', endpoint));
}
