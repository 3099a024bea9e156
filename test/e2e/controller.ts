import { conditionOf, document, sandboxManifest } from '../helpers/e2e-machine';
import type { Stage } from '../helpers/e2e-suite';

/** What a terminal would act on: every control but the line feed, and the marks that reorder text. */
const STEERING = /[^\P{Cc}\n]|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

export function describeController({ machine }: Stage): void {
  const { engine } = machine;

  describe('a controller', () => {
    it('keeps its home against a second one, which names it', async () => {
      const { stdout } = await machine.ctl('controller', 'status');
      const pid = /PID: +(\d+)/.exec(stdout)?.[1] ?? '';
      const second = await machine.ctl('controller', 'run');
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(`process ${pid}, started `);
      expect((await machine.ctl('controller', 'status')).stdout).toMatch(new RegExp(`PID: +${pid}\n`));
    });

    it('leaves what runs alone when it stops and starts, and sees what happened in between', async () => {
      machine.manifest('steady', sandboxManifest(machine, 'steady'));
      const id = String((await machine.ready('sandbox', 'steady')).status?.containerId);
      const { State } = await engine.inspect(id);
      await machine.stop();
      expect((await machine.ctl('get', 'sb')).code).toBe(1);
      machine.manifest('steady', sandboxManifest(machine, 'steady', ', keepRunning: true'));
      await machine.start();
      const seen = await machine.condition('sandbox', 'steady', 'UpToDate=False:RestartPolicyChanged');
      expect(seen.status?.containerId).toBe(id);
      expect((await engine.inspect(id)).State).toEqual(State);

      await machine.stop();
      await engine.ok('rm', '--force', id);
      await machine.start();
      const fresh = await machine.until(
        'sandbox',
        'steady',
        (now) => conditionOf(now, 'Ready')?.status === 'True' && now?.status?.containerId !== id,
      );
      expect(await machine.containers('steady')).toEqual([fresh.status?.containerId]);
      await machine.retire('steady');
    });

    it('leaves a container alone that has the name and is not its own', async () => {
      const name = `berth-taken-${machine.instance().slice(0, 8)}`;
      const label = 'dev.berth.owner=berth';
      const image = 'localhost/berth/sandbox:dev';
      const foreign = await engine.ok('run', '--detach', '--network=none', `--name=${name}`, `--label=${label}`, image);
      try {
        const { State } = await engine.inspect(foreign);
        machine.manifest('taken', sandboxManifest(machine, 'taken'));
        await machine.condition('sandbox', 'taken', 'Ready=False:NameConflict');
        expect((await machine.ctl('describe', 'sb', 'taken')).stdout).toContain(name);
        await machine.retire('taken');
        expect((await engine.inspect(foreign)).State).toEqual(State);
      } finally {
        await engine.run('rm', '--force', foreign);
      }
    });

    it('prints nothing that steers a terminal, whatever manifests and repositories say', async () => {
      const path = machine.directory('home/work/odd');
      machine.directory('home/work/odd/.git/objects');
      machine.directory('home/work/odd/.git/refs');
      machine.file('home/work/odd/.git/HEAD', 'ref: refs/heads/red\u001b[31m\u202etxt\n');
      const note = 'annotations: {note: "a\u202eb\\e[2J\\a\\u009b31m"}';
      const project = document('Project', 'odd', `spec: {path: "${path}"}`);
      machine.manifest('odd', project.replace('{name: odd}', `{name: odd, ${note}}`));
      machine.manifest('worse', document('Project', 'worse', 'spec: {path: "/tmp/\\e[2J", "\\e[31maccess": x}'));
      await machine.says(/worse\.yaml:\d+:\d+: /, 'get', 'proj');
      await machine.until('project', 'odd', (seen) => conditionOf(seen, 'Ready') !== undefined);
      for (const line of ['get proj -o wide', 'get all', 'describe proj odd', 'get proj -o json', 'get proj -o yaml']) {
        const { code, stdout, stderr } = await machine.ctl(...line.split(' '));
        expect({ line, code, steering: STEERING.exec(stdout + stderr)?.[0] }).toEqual({ line, code: 0 });
      }
      expect((await machine.ctl('describe', 'proj', 'odd')).stdout).toContain('\\x1b[2J');
      machine.removeManifest('odd');
      machine.removeManifest('worse');
    });
  });
}
