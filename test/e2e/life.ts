import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { document, Machine } from '../helpers/e2e-machine';
import type { EngineName } from '../helpers/e2e-engine';

const LONG_MS = 120_000;

/** A project's and a sandbox's manifest in one file, under one name. */
export function sandboxManifest(machine: Machine, name: string, spec = ''): string {
  const path = machine.directory(`home/work/${name}`);
  const project = document('Project', name, `spec: {path: "${path}"}`);
  return `${project}---\n${document('Sandbox', name, `spec: {projects: [${name}]${spec}}`)}`;
}

export function describeLife(name: EngineName, endpoint: string): void {
  describe('a sandbox and its session', () => {
    let machine: Machine;
    beforeAll(async () => {
      machine = new Machine(name, endpoint);
      await machine.prepare();
      await machine.start();
    }, LONG_MS);
    afterAll(() => machine.close(), LONG_MS);

    it(
      'come from manifests, run, and leave nothing but the files when they are deleted',
      async () => {
        const { engine } = machine;
        const session = document('Session', 'shell', 'spec: {project: main, agent: shell, sandbox: main}');
        machine.manifest('main', `${sandboxManifest(machine, 'main')}---\n${session}`);
        const { status } = await machine.ready('sandbox', 'main');
        await machine.ready('session', 'shell');
        const id = String(status?.containerId);
        const { Config, State } = await engine.inspect(id);
        expect(State.Running).toBe(true);
        const instance = `dev.berth.instance=${Config.Labels['dev.berth.instance']}`;
        expect(await engine.containers(instance)).toEqual([id]);

        await engine.ok('exec', id, '/bin/sh', '-c', `echo kept > ~/notes; echo hi > ${machine.home}/work/main/made`);
        const made = statSync(join(machine.home, 'work/main/made'));
        expect({ uid: made.uid, gid: made.gid }).toEqual({ uid: machine.person.uid, gid: machine.person.gid });

        machine.removeManifest('main');
        await machine.condition('sandbox', 'main', 'Accepted=False:ManifestMissing');
        expect(await machine.ctlOk('get', 'sb', 'main', '--no-headers')).toMatch(
          /^main +\S+ +ManifestMissing +True +True/,
        );

        await machine.ctlOk('delete', 'session/shell', 'sandbox/main', '--yes');
        expect(await engine.containers(instance)).toEqual([]);
        expect(existsSync(join(machine.berth, 'data/sandboxes/main'))).toBe(false);
        const aside = join(machine.berth, 'data/set-aside/sandboxes/main/home/notes');
        expect(readFileSync(aside, 'utf8')).toBe('kept\n');
        expect(readFileSync(join(machine.home, 'work/main/made'), 'utf8')).toBe('hi\n');
      },
      LONG_MS,
    );
  });
}
