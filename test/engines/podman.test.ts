import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeKernelContract } from '../contract/kernel';
import { describeRuntimeContract } from '../contract/runtime';
import { Corner, failureOf, present, SWEEP_TIMEOUT_MS } from '../helpers/engine';
import { endpointOf, openEngine } from '../helpers/engine-real';

const endpoint = endpointOf('podman');
if (endpoint === undefined) {
  it('is allowed to be missing here', () => {
    expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
  });
} else {
  describeRuntimeContract('Podman', () => openEngine('podman', endpoint));
  describeKernelContract('Podman', () => openEngine('podman', endpoint));

  describe('rootless Podman', () => {
    let corner: Corner;
    beforeAll(async () => {
      corner = new Corner(await openEngine('podman', endpoint));
    });
    afterAll(() => corner.sweep(), SWEEP_TIMEOUT_MS);

    it('keeps the person who they are inside', async () => {
      const { identity, rootless } = await corner.runtime.probe();
      expect({ identity, rootless }).toEqual({ identity: 'KeepId', rootless: true });
    });

    it('does not make a directory where a bind source is missing, even where it could', async () => {
      const there = await corner.directory();
      const source = join(there, 'typo');
      const mount = { role: 'workspace', type: 'bind', source, target: '/project', readOnly: false } as const;
      expect(await failureOf(corner.runtime.containers.create(corner.spec({ mounts: [mount] })))).toMatchObject({
        failure: { cause: 'MountRejected', slots: { path: source } },
      });
      expect(await readdir(there)).toEqual([]);
    });

    it.each([
      [['ALL'], []],
      [['ALL'], ['CHOWN', 'KILL']],
      [['CHOWN', 'KILL'], []],
      [[], []],
    ])('tells the capabilities %j, %j as they were asked for', async (capDrop, capAdd) => {
      const security = { noNewPrivileges: true, privileged: false, capDrop, capAdd };
      const id = await corner.runtime.containers.create(corner.spec({ security }));
      expect((await present(corner.runtime, id)).facts.security).toEqual(security);
    });
  });
}
