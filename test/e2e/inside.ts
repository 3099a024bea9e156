import { sandboxManifest } from '../helpers/e2e-machine';
import type { Stage } from '../helpers/e2e-suite';

export function describeInside({ machine }: Stage): void {
  const { engine } = machine;

  describe('inside a sandbox', () => {
    let id: string;
    beforeAll(async () => {
      const limits = ', limits: {cpus: 1.5, memory: 512Mi, processes: 100}';
      machine.manifest('inside', sandboxManifest(machine, 'inside', limits));
      id = String((await machine.ready('sandbox', 'inside')).status?.containerId);
    });
    afterAll(() => machine.retire('inside'));
    const inside = async (script: string): Promise<string> => (await engine.exec(id, script)).stdout.trim();

    it('there is a loopback and nowhere else to go', async () => {
      expect(await inside('ls /sys/class/net')).toBe('lo');
      expect(await inside('tail -n +2 /proc/net/route')).toBe('');
    });

    it('the person is who they are outside, with a home of their own and no privilege', async () => {
      const { uid, gid } = machine.person;
      expect(await inside('echo $(id -u) $(id -g) $HOME')).toBe(`${uid} ${gid} /home/berth`);
      expect(await inside('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status | tr -s "\\t\\n" " "')).toBe(
        'CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1',
      );
      expect(await inside('touch ~/mine && stat -c %u ~/mine')).toBe(String(uid));
    });

    it('nothing of the machine shows but the project', async () => {
      expect(await inside(`ls -A ${machine.root} ${machine.home} ${machine.home}/work | xargs`)).toBe(
        `${machine.root}: home ${machine.home}: work ${machine.home}/work: inside`,
      );
      expect((await engine.exec(id, `ls ${machine.berth}`)).code).not.toBe(0);
      expect(await inside('find / -xdev -name "*.sock" 2>/dev/null')).toBe('');
    });

    it('the limits hold where the engine enforces them, and where it does not the status says so', async () => {
      const { status } = (await machine.get('sandbox', 'inside')) ?? {};
      if (engine.kind === 'Podman') {
        expect(status?.conditions).toContainEqual(
          expect.objectContaining({ type: 'LimitsEnforced', status: 'False', reason: 'NotEnforceable' }),
        );
        return;
      }
      const values = await inside(
        'cd /sys/fs/cgroup; cat memory/memory.limit_in_bytes memory/memory.memsw.limit_in_bytes cpu/cpu.cfs_quota_us pids/pids.max',
      );
      expect(values.split('\n')).toEqual([String(2 ** 29), String(2 ** 29), '150000', '100']);
      expect(await inside('i=0; while [ $i -lt 120 ]; do sleep 5 & i=$((i+1)); done 2>&1 | head -n 1')).toMatch(
        /fork/i,
      );
      const killed = await engine.exec(id, 'head -c 700m /dev/zero | tail -c 690m | wc -c');
      expect(killed.stdout.trim()).not.toBe(String(690 * 2 ** 20));
      expect((await engine.inspect(id)).State.Running).toBe(true);
    });
  });
}
