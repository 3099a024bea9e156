import { systemClock } from '../../controller/clock';
import { createRuntime } from '../../runtimes/select';
import { describeKernelContract } from '../contract/kernel';
import { describeRuntimeContract } from '../contract/runtime';
import { failureOf } from '../helpers/engine';
import { endpointOf, openEngine } from '../helpers/engine-real';

const endpoint = endpointOf('docker');
if (endpoint === undefined) {
  it('is allowed to be missing here', () => {
    expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
  });
} else {
  describeRuntimeContract('Docker', () => openEngine('docker', endpoint));
  describeKernelContract('Docker', () => openEngine('docker', endpoint));

  it('is found where the system keeps it', async () => {
    const runtime = createRuntime({ kind: 'Docker', env: { DOCKER_HOST: endpoint }, uid: 0, clock: systemClock });
    expect(runtime.endpoint).toBe(endpoint);
    expect(await runtime.probe()).toMatchObject({ kind: 'Docker', endpoint, identity: 'UidGid' });
  });

  it('is not taken for Podman', async () => {
    const runtime = createRuntime({ kind: 'Podman', endpoint, env: {}, uid: 0, clock: systemClock });
    expect(await failureOf(runtime.probe())).toMatchObject({ code: 'InvalidSpec' });
  });
}
