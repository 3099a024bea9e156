import { existsSync } from 'node:fs';
import type { SandboxSpec } from '../../crds/sandbox';
import type { SessionStatus } from '../../crds/session';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { endSession, LACKS, sessionsIn } from '../helpers/fake-sessions';
import { World } from '../helpers/world';

const PROJECTS = manifest('Project', 'web', 'path: ../../web') + manifest('Project', 'api', 'path: ../../api');
const MAIN = manifest('Sandbox', 'main', 'projects: [web]');
const OTHER = manifest('Sandbox', 'other', 'projects: [web]');

function session(spec: string): string {
  return manifest('Session', 'talk', `project: web, agent: shell, ${spec}`);
}
const SHARED = session('sandbox: main');
const DEDICATED = session('placement: Sandbox');

let world: World;

beforeEach(() => {
  world = new World();
  world.directory('web');
  world.directory('api');
  world.write('others.yaml', BALLAST + PROJECTS);
});

afterEach(async () => {
  await world.close();
});

async function begin(text: string): Promise<void> {
  world.write('main.yaml', text);
  await world.start();
  await world.settle(1_000);
}

async function edit(text: string): Promise<void> {
  world.write('main.yaml', text);
  await world.settle(6_000);
}

const uid = (): string => world.object('Session', 'talk').metadata.uid;
const status = (): SessionStatus => world.object<unknown, SessionStatus>('Session', 'talk').status!;

/** Where the session's program runs: the container's sandbox and the directory, once a process. */
function running(): string[] {
  return world
    .containers()
    .flatMap((container) =>
      sessionsIn(container, uid()).map(({ pid }) => {
        const { workdir } = container.processes.get(pid)!.request;
        return `${container.spec.labels['dev.berth.name']} ${workdir?.replace(world.root, '')}`;
      }),
    )
    .sort();
}

describe('a session in a shared sandbox', () => {
  beforeEach(async () => {
    await begin(MAIN + SHARED);
  });

  it('runs in its project, as its sandbox shows it', () => {
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(running()).toEqual(['main /web']);
    expect(status()).toMatchObject({ placement: 'Sandbox', sandbox: 'main', workdir: `${world.root}/web` });
    expect(world.objects().filter(({ kind }) => kind === 'Sandbox')).toHaveLength(1);
  });

  it('is left alone by further passes', async () => {
    const before = { writes: world.engine.writes(), revision: world.controller.store.revision() };
    world.controller.manager.resync();
    await world.settle(12_000);
    expect({ writes: world.engine.writes(), revision: world.controller.store.revision() }).toEqual(before);
  });

  it('is replaced by one new process when it is restarted', async () => {
    const before = status().pid;
    world.restart('Session', 'talk');
    await world.settle(1_000);
    expect(running()).toEqual(['main /web']);
    expect(status().pid).not.toBe(before);
    expect(world.containers()[0]?.starts).toBe(1);
  });

  it('is ended when it is declared stopped, and its sandbox runs on', async () => {
    await edit(MAIN + session('sandbox: main, state: Stopped'));
    expect(world.said('Session', 'talk')).toBe('False Stopped');
    expect(running()).toEqual([]);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    await edit(MAIN + SHARED);
    expect(running()).toEqual(['main /web']);
  });

  it.each([
    [0, 'False Exited'],
    [3, 'False Crashed'],
    [undefined, 'False Crashed'],
  ])('says how its program ended (exit code %p) and starts it again on a restart alone', async (code, said) => {
    endSession(world.containers()[0]!, uid(), code);
    await world.settle(32_000);
    expect(world.said('Session', 'talk')).toBe(said);
    expect(status().exit?.code).toBe(code);
    expect(running()).toEqual([]);
    world.restart('Session', 'talk');
    await world.settle(1_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(status().exit).toBeUndefined();
  });

  it('comes back with its sandbox after that was stopped from outside', async () => {
    world.engine.exit(world.containers()[0]!.id);
    await world.settle(6_000);
    expect(running()).toEqual(['main /web']);
  });

  it('takes its process with it when it is deleted', async () => {
    const gone = uid();
    await edit(MAIN);
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    await world.settle(1_000);
    expect(world.controller.store.get({ kind: 'Session', name: 'talk' })).toBeUndefined();
    expect(sessionsIn(world.containers()[0]!, gone)).toEqual([]);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('runs on where it is when another sandbox is named, and moves there on a restart', async () => {
    await edit(MAIN + OTHER + session('sandbox: other'));
    expect(running()).toEqual(['main /web']);
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(world.said('Session', 'talk', 'UpToDate')).toBe('False SandboxChanged');
    expect(status().sandbox).toBe('main');
    world.restart('Session', 'talk');
    await world.settle(1_000);
    expect(running()).toEqual(['other /web']);
    expect(world.said('Session', 'talk', 'UpToDate')).toBe('True UpToDate');
  });

  it('leaves no process behind when it is deleted after another sandbox was named', async () => {
    const gone = uid();
    await edit(MAIN + OTHER + session('sandbox: other'));
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    world.write('main.yaml', MAIN + OTHER);
    await world.settle(1_000);
    expect(world.containers().flatMap((container) => sessionsIn(container, gone))).toEqual([]);
  });

  it('is not known, rather than ended, while its engine is away', async () => {
    world.engine.die();
    await world.settle(6_000);
    expect(world.said('Session', 'talk')).toBe('Unknown NotObserved');
    expect(running()).toEqual(['main /web']);
    world.engine.faults.unavailable = false;
    await world.settle(35_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(running()).toEqual(['main /web']);
  });
});

describe('a session with a sandbox of its own', () => {
  it('has its project at /workspace, and takes its sandbox with it', async () => {
    await begin(DEDICATED);
    expect(running()).toEqual(['talk /workspace']);
    const { metadata } = world.object<SandboxSpec>('Sandbox', 'talk');
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Session', name: 'talk', uid: uid(), controller: true }]);
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    await world.settle(1_000);
    expect(world.containers()).toEqual([]);
    expect(world.objects().filter(({ kind }) => kind === 'Sandbox' || kind === 'Session')).toEqual([]);
    const keptHome = `${world.root}/berth/data/set-aside/sessions/talk-${metadata.uid}/home`;
    expect(existsSync(keptHome)).toBe(true);
  });

  it('gets another project by a restart of the session, in a container made anew', async () => {
    await begin(DEDICATED);
    const [before] = world.containers();
    await edit(DEDICATED.replace('project: web', 'project: api'));
    expect(world.containers()).toEqual([before]);
    expect(running()).toEqual(['talk /workspace']);
    world.restart('Session', 'talk');
    await world.settle(2_000);
    expect(running()).toEqual(['talk /workspace']);
    const sources = world.containers().map(({ spec }) => spec.mounts.map(({ source }) => source));
    expect(sources).toEqual([expect.arrayContaining([`${world.root}/api`])]);
    expect(world.containers()[0]?.id).not.toBe(before?.id);
  });

  it('never takes a sandbox that somebody declared by hand', async () => {
    await begin(manifest('Sandbox', 'talk', 'projects: [web]') + DEDICATED);
    expect(world.said('Session', 'talk')).toBe('False NameConflict');
    expect(world.said('Session', 'talk', 'Accepted')).toBe('False NameConflict');
    expect(running()).toEqual([]);
    world.write('main.yaml', manifest('Sandbox', 'talk', 'projects: [web]'));
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    await world.settle(1_000);
    expect(world.said('Sandbox', 'talk')).toBe('True Ready');
  });

  it('starts once the sandbox that had its name is gone', async () => {
    await begin(manifest('Sandbox', 'talk', 'projects: [web]') + DEDICATED);
    world.write('main.yaml', DEDICATED);
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'talk' });
    await world.settle(3_000);
    expect(running()).toEqual(['talk /workspace']);
  });

  it('keeps its own sandbox from one that is declared later under the name', async () => {
    await begin(DEDICATED);
    await edit(DEDICATED + manifest('Sandbox', 'talk', 'projects: [api], state: Stopped'));
    expect(running()).toEqual(['talk /workspace']);
    expect(world.condition('Settings', 'default', 'ManifestsValid')?.message).toContain('Sandbox/talk');
  });

  it('rests with its sandbox when it is declared stopped', async () => {
    await begin(DEDICATED);
    await edit(session('placement: Sandbox, state: Stopped'));
    expect(world.containers().map(({ running }) => running)).toEqual([false]);
    expect(world.said('Session', 'talk')).toBe('False Stopped');
  });

  it('makes it again when somebody deletes it', async () => {
    await begin(DEDICATED);
    const [before] = world.containers();
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'talk' });
    await world.settle(2_000);
    expect(running()).toEqual(['talk /workspace']);
    expect(world.containers()).toHaveLength(1);
    expect(world.containers()[0]).not.toBe(before);
  });

  it.each([
    ['PlacementChanged', session('placement: Host'), []],
    ['SandboxChanged', MAIN + SHARED, ['main /web']],
  ])('runs on in it (%s) until a restart leaves it, which leaves nothing of it', async (reason, text, after) => {
    await begin(DEDICATED);
    await edit(text);
    expect(running()).toEqual(['talk /workspace']);
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(world.said('Session', 'talk', 'UpToDate')).toBe(`False ${reason}`);
    world.restart('Session', 'talk');
    await world.settle(2_000);
    expect(running()).toEqual(after);
    expect(world.controller.store.get({ kind: 'Sandbox', name: 'talk' })).toBeUndefined();
    expect(world.containers()).toHaveLength(after.length);
  });

  it.each([
    ['the host', session('placement: Host')],
    ['another sandbox', MAIN + SHARED],
  ])('leaves nothing when it is deleted after %s was named', async (_, text) => {
    await begin(DEDICATED);
    await edit(text);
    world.remove('main.yaml');
    for (const key of [{ kind: 'Session', name: 'talk' } as const, { kind: 'Sandbox', name: 'main' } as const])
      world.controller.store.requestDeletion(key);
    await world.settle(2_000);
    expect(world.containers()).toEqual([]);
  });
});

describe('a session that can not run', () => {
  it('waits on the host, where nothing runs', async () => {
    await begin(session('state: Running'));
    expect(world.said('Session', 'talk')).toBe('False NotSupportedYet');
    expect(world.said('Session', 'talk', 'Accepted')).toBe('False NotSupportedYet');
    expect(world.containers()).toEqual([]);
  });

  it('waits for its project to be mounted and is started nowhere else', async () => {
    await begin(MAIN + manifest('Session', 'talk', 'project: api, agent: shell, sandbox: main'));
    expect(world.said('Session', 'talk', 'WorkspaceReady')).toBe('False ProjectNotMounted');
    expect(world.said('Session', 'talk')).toBe('False WorkspaceNotReady');
    expect([running(), world.containers().length]).toEqual([[], 1]);
    world.write(
      'main.yaml',
      MAIN.replace('[web]', '[web, api]') + manifest('Session', 'talk', 'project: api, agent: shell, sandbox: main'),
    );
    await world.settle(1_000);
    expect(running()).toEqual([]);
    world.restart('Sandbox', 'main');
    await world.settle(1_000);
    expect(running()).toEqual(['main /api']);
  });

  it('says so when its agent is not in the image, and runs once it is', async () => {
    world.engine.addImage('localhost/berth/sandbox:dev', { environment: { [LACKS]: 'claude codex' } });
    await begin(MAIN + SHARED.replace('shell', 'claude'));
    expect(world.said('Session', 'talk')).toBe('False AgentNotAvailable');
    expect(world.said('Session', 'talk', 'AgentAvailable')).toBe('False NotInstalled');
    expect(running()).toEqual([]);
    world.engine.addImage('localhost/berth/sandbox:dev', { id: 'sha256:with-claude' });
    world.restart('Sandbox', 'main');
    await world.settle(1_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
  });

  it.each([
    [
      'project',
      MAIN + SHARED.replace('project: web', 'project: later'),
      manifest('Project', 'later', 'path: ../../api'),
    ],
    ['sandbox', SHARED, MAIN],
    ['agent', MAIN + SHARED.replace('shell', 'mine'), manifest('Agent', 'mine', 'command: [mine]')],
  ])('names the %s that does not exist, and goes on by itself once it does', async (_, text, missing) => {
    await begin(text);
    expect(world.said('Session', 'talk')).toBe('False ReferenceNotFound');
    expect(world.said('Session', 'talk', 'Accepted')).toBe('False ReferenceNotFound');
    await edit(text + missing);
    expect(world.said('Session', 'talk', 'Accepted')).toBe('True Valid');
    expect(world.said('Session', 'talk')).not.toBe('False ReferenceNotFound');
  });
});
