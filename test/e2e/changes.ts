import { document, sandboxManifest, shown, type Seen } from '../helpers/e2e-machine';
import type { Stage } from '../helpers/e2e-suite';

export function describeChanges({ machine }: Stage): void {
  const { engine } = machine;

  describe('a running sandbox', () => {
    let id: string;
    beforeAll(async () => {
      const other = document('Project', 'other', `spec: {path: "${machine.directory('home/work/other')}"}`);
      machine.manifest('other', other);
      machine.manifest('dev', sandboxManifest(machine, 'dev'));
      id = containerOf(await machine.ready('sandbox', 'dev'));
    });
    afterAll(async () => {
      await machine.retire('dev');
      machine.removeManifest('other');
    });

    const both = 'projects: [dev, other]';
    it.each([
      ['keepRunning', 'RestartPolicyChanged', ', keepRunning: true', undefined],
      ['its projects', 'MountsChanged', '', both],
      ['both', 'MultipleChanges', ', keepRunning: true', both],
    ])('goes on as it is when %s changes, says %s, and takes it back', async (_, reason, more, projects) => {
      const before = (await engine.inspect(id)).State;
      const changed = sandboxManifest(machine, 'dev', more).replace('projects: [dev]', projects ?? 'projects: [dev]');
      machine.manifest('dev', changed);
      const seen = await machine.condition('sandbox', 'dev', `UpToDate=False:${reason}`);
      expect(containerOf(seen)).toBe(id);
      expect(await machine.ctlOk('get', 'sb', 'dev', '--no-headers')).toMatch(/^dev +\S+ +\S+ +True +False /);
      expect(await machine.ctlOk('describe', 'sb', 'dev')).toContain(reason);
      expect((await engine.inspect(id)).State).toEqual(before);

      machine.manifest('dev', sandboxManifest(machine, 'dev'));
      await machine.condition('sandbox', 'dev', 'UpToDate=True:UpToDate');
      expect((await engine.inspect(id)).State).toEqual(before);
    });

    it('stays as it is when its manifest breaks, and every command says where', async () => {
      const before = (await engine.inspect(id)).State;
      const { metadata, spec } = (await machine.get('sandbox', 'dev')) ?? {};
      machine.manifest('dev', `${sandboxManifest(machine, 'dev')}  limits: {memory: 12}\n`);
      await machine.says(new RegExp(`^Warning: ${machine.manifestPath('dev')}:\\d+:\\d+: `), 'get', 'sb');
      machine.manifest('dev', sandboxManifest(machine, 'dev').replace('projects:', 'project:'));
      await machine.says(/dev\.yaml:9:8: .*did you mean "?projects/, 'get', 'sb');
      const seen = await machine.condition('sandbox', 'dev', 'Accepted=False:UnknownField');
      expect(seen.spec).toEqual(spec);
      expect(seen.metadata.generation).toBe(metadata?.generation);
      expect([shown(seen, 'Ready'), shown(seen, 'UpToDate')]).toEqual(['Ready=True:Ready', 'UpToDate=True:UpToDate']);
      expect((await engine.inspect(id)).State).toEqual(before);
      machine.manifest('dev', sandboxManifest(machine, 'dev'));
      await machine.says(/^$/, 'get', 'sb');
      await machine.condition('sandbox', 'dev', 'Accepted=True:Valid');
      expect((await engine.inspect(id)).State).toEqual(before);
    });

    it('is made anew by a restart, as it is declared then', async () => {
      const path = `${machine.home}/work/other`;
      expect((await engine.exec(id, `test -d ${path}`)).code).not.toBe(0);
      machine.manifest('dev', sandboxManifest(machine, 'dev').replace('projects: [dev]', both));
      await machine.condition('sandbox', 'dev', 'UpToDate=False:MountsChanged');
      await machine.ctlOk('restart', 'sandbox', 'dev');
      const fresh = await machine.until(
        'sandbox',
        'dev',
        (seen) => shown(seen, 'UpToDate') === 'UpToDate=True:UpToDate' && containerOf(seen) !== id,
      );
      await machine.ready('sandbox', 'dev');
      expect(await machine.containers('dev')).toEqual([containerOf(fresh)]);
      id = containerOf(fresh);
      await engine.ok('exec', id, 'test', '-d', path);
    });
  });
}

function containerOf(seen: Seen | undefined): string {
  return String(seen?.status?.containerId);
}
