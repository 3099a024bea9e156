import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { document, sandboxManifest } from '../helpers/e2e-machine';
import type { Stage } from '../helpers/e2e-suite';

export function describeLife({ machine }: Stage): void {
  const { engine } = machine;

  it('runs what is declared, and leaves nothing but the files when it is deleted', async () => {
    const session = document('Session', 'shell', 'spec: {project: main, agent: shell, sandbox: main}');
    machine.manifest('main', `${sandboxManifest(machine, 'main')}---\n${session}`);
    const { status } = await machine.ready('sandbox', 'main');
    await machine.ready('session', 'shell');
    const id = String(status?.containerId);
    const { Config, State } = await engine.inspect(id);
    expect(State.Running).toBe(true);
    const instance = `dev.berth.instance=${Config.Labels['dev.berth.instance'] ?? ''}`;
    expect(await engine.containers(instance)).toEqual([id]);
    expect(await machine.ctlOk('describe', 'sandbox', 'main')).toMatch(
      new RegExp(`Container ID: +${id}\n[^]*\n +Ready +True +Ready +The sandbox runs\\.\n`),
    );

    const made = `${machine.home}/work/main/made`;
    await engine.ok('exec', id, '/bin/sh', '-c', `echo kept > ~/notes; echo hi > ${made}`);
    const { uid, gid } = statSync(made);
    expect({ uid, gid }).toEqual({ uid: machine.person.uid, gid: machine.person.gid });

    machine.removeManifest('main');
    await machine.condition('sandbox', 'main', 'Accepted=False:ManifestMissing');
    expect(await machine.ctlOk('get', 'sb', 'main', '--no-headers')).toMatch(/^main +\S+ +ManifestMissing +True/);
    expect((await engine.inspect(id)).State).toEqual(State);

    await machine.ctlOk('delete', 'session/shell', 'sandbox/main', '--yes');
    expect(await engine.containers(instance)).toEqual([]);
    expect(await engine.volumes(instance)).toEqual([]);
    expect(await engine.networks(instance)).toEqual([]);
    expect(existsSync(`/proc/${State.Pid}`)).toBe(false);
    expect(existsSync(join(machine.berth, 'data/sandboxes/main'))).toBe(false);
    const aside = join(machine.berth, 'data/set-aside/sandboxes/main/home/notes');
    expect(readFileSync(aside, 'utf8')).toBe('kept\n');
    expect(readFileSync(made, 'utf8')).toBe('hi\n');
  });

  it('gives a session without a sandbox one of its own, at /workspace, and takes both away together', async () => {
    const path = machine.directory('home/work/alone');
    const project = document('Project', 'alone', `spec: {path: "${path}"}`);
    machine.manifest('alone', `${project}---\n${document('Session', 'alone', 'spec: {project: alone, agent: shell}')}`);
    const { status } = await machine.ready('session', 'alone');
    expect(status).toMatchObject({ placement: 'Sandbox', sandbox: 'alone', workdir: '/workspace' });
    const sandbox = await machine.ready('sandbox', 'alone');
    expect(sandbox.metadata.ownerReferences).toMatchObject([{ kind: 'Session', name: 'alone' }]);
    const id = String(sandbox.status?.containerId);
    expect(await engine.ok('exec', id, '/bin/sh', '-c', `readlink /proc/${Number(status?.pid)}/cwd`)).toBe(
      '/workspace',
    );
    await engine.ok('exec', id, 'touch', '/workspace/here');
    expect(statSync(join(path, 'here')).uid).toBe(machine.person.uid);

    machine.removeManifest('alone');
    await machine.condition('session', 'alone', 'Accepted=False:ManifestMissing');
    await machine.ctlOk('delete', 'session', 'alone', '--yes');
    await machine.until('sandbox', 'alone', (seen) => seen === undefined);
    expect(await engine.containers('dev.berth.owner=berth', 'dev.berth.name=alone')).toEqual([]);
  });
}
