import { execFileSync } from 'node:child_process';
import { systemClock } from '../../controller/clock';
import { createRuntime } from '../../runtimes/select';
import { describeKernelContract } from '../contract/kernel';
import { describeRuntimeContract } from '../contract/runtime';
import { Corner, failureOf, present } from '../helpers/engine';
import { endpointOf, openEngine } from '../helpers/engine-real';

const endpoint = endpointOf('docker');
if (endpoint === undefined) {
  it('is allowed to be missing here', () => {
    expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
  });
} else {
  describeRuntimeContract('Docker', () => openEngine('docker', endpoint));
  describeKernelContract('Docker', () => openEngine('docker', endpoint));

  it('tells of a network that somebody connected a container to', async () => {
    const corner = new Corner(await openEngine('docker', endpoint));
    try {
      const id = await corner.run();
      const docker = (...args: string[]): void => {
        execFileSync('docker', ['--host', endpoint, 'network', ...args, id]);
      };
      docker('disconnect', 'none');
      docker('connect', 'bridge');
      expect((await present(corner.runtime, id)).facts.network).toBe('bridge');
      docker('disconnect', 'bridge');
      docker('connect', 'none');
      expect((await present(corner.runtime, id)).facts.network).toBe('none');
    } finally {
      await corner.sweep();
    }
  });

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
