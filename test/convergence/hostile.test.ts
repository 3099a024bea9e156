import type { SessionStatus } from '../../crds/session';
import type { FakeContainer } from '../../runtimes/fake';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { endSession, loseRecord, playSessions, sessionsIn } from '../helpers/fake-sessions';
import { World } from '../helpers/world';

const PROJECT = manifest('Project', 'web', 'path: ../../web');
const MAIN = manifest('Sandbox', 'main', 'projects: [web]');
const SHARED = manifest('Session', 'talk', 'project: web, agent: shell, sandbox: main');
const DEDICATED = manifest('Session', 'talk', 'project: web, agent: shell, placement: Sandbox');
const NAMES = ['one', 'two', 'three', 'four'];

/** What runs in a sandbox may hold up or mislead whoever looks into it: it costs that sandbox's sessions alone. */
describe('a sandbox that does not answer', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
    world.directory('web');
    world.write('others.yaml', BALLAST + PROJECT);
  });

  afterEach(async () => {
    await world.close();
  });

  async function begin(text: string): Promise<void> {
    world.write('main.yaml', text);
    await world.start();
    await world.settle(1_000);
  }

  const container = (): FakeContainer => world.containers()[0]!;
  const status = (): SessionStatus => world.object<unknown, SessionStatus>('Session', 'talk').status!;

  /** From now on nothing that is run in there ends. */
  async function silence(...containers: FakeContainer[]): Promise<void> {
    for (const each of containers) each.answers = false;
    world.controller.manager.resync();
    await world.settle(6_000);
  }

  it('leaves what is known of its session, says so, and is started nothing in', async () => {
    await begin(MAIN + SHARED);
    const before = status();
    await silence(container());
    expect(world.said('Session', 'talk')).toBe('Unknown NotObserved');
    expect(world.condition('Session', 'talk', 'Ready')?.message).toContain('Sandbox main did not answer');
    expect(world.said('Session', 'talk', 'UpToDate')).toBe('Unknown NotObserved');
    expect(status()).toMatchObject({ pid: before.pid, startedAt: before.startedAt });
    await world.settle(60_000, 100);
    container().answers = true;
    await world.settle(40_000, 100);
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(status()).toMatchObject({ pid: before.pid, startedAt: before.startedAt });
    expect(container().processes.size).toBe(1);
  });

  it('is not begun anew each time that its record is taken away, and is by a restart', async () => {
    await begin(MAIN + SHARED);
    const { uid } = world.object('Session', 'talk').metadata;
    let starts = 0;
    world.engine.faults.beforeEffect = (effect) => {
      if (effect === 'execs.start') starts += 1;
    };
    loseRecord(container(), uid);
    await world.settle(60_000, 100);
    expect(starts).toBe(0);
    expect(world.said('Session', 'talk')).toBe('False Crashed');
    world.restart('Session', 'talk');
    await world.settle(5_000);
    expect(starts).toBe(1);
    expect(world.said('Session', 'talk')).toBe('True Running');
    loseRecord(container(), uid);
    world.engine.exit(container().id);
    await world.settle(60_000, 100);
    expect(world.said('Session', 'talk')).toBe('True Running');
  });

  it('has not crashed its sessions when it is being restarted', async () => {
    await begin(MAIN + SHARED);
    let stuck = true;
    world.engine.faults.beforeEffect = (effect) => {
      if (effect === 'containers.stop' && stuck) throw new Error('it takes its time');
    };
    await world.settle(100);
    world.restart('Sandbox', 'main');
    endSession(container(), world.object('Session', 'talk').metadata.uid);
    world.controller.manager.resync();
    await world.settle(1_000);
    expect(world.said('Session', 'talk')).toBe('False SandboxNotReady');
    stuck = false;
    await world.settle(20_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
    const events = world.controller.events.list({ kind: 'Session' });
    expect(events.map(({ reason }) => reason)).not.toContain('Crashed');
  });

  it('is asked again later each time', async () => {
    await begin(MAIN + SHARED);
    let looks = 0;
    world.engine.faults.beforeEffect = (effect) => {
      if (effect === 'execs.run') looks += 1;
    };
    await silence(container());
    looks = 0;
    await world.settle(300_000, 250);
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThan(20);
  });

  it('holds up no other, even where there are as many as workers', async () => {
    const texts = NAMES.flatMap((name) => [
      manifest('Sandbox', name, 'projects: [web]'),
      manifest('Session', `in-${name}`, `project: web, agent: shell, sandbox: ${name}`),
    ]);
    await begin(texts.join(''));
    await silence(...world.containers());
    for (const name of NAMES) expect(world.said('Session', `in-${name}`)).toBe('Unknown NotObserved');
    world.write('late.yaml', MAIN + SHARED);
    await world.settle(15_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
  });

  it.each([
    ['writes without end', 'x'.repeat(100_000)],
    ['writes something else', 'found yes\nrun 0-a\n'],
    ['writes nothing', ''],
  ])('is one whose shell %s, too', async (_, stdout) => {
    await begin(MAIN + SHARED);
    world.engine.script = (where, request) => (request.maxOutputBytes ? { stdout } : playSessions(where, request));
    world.controller.manager.resync();
    await world.settle(1_000);
    expect(world.said('Session', 'talk')).toBe('Unknown NotObserved');
    expect(container().processes.size).toBe(1);
  });

  it('keeps its session from going, which says what helps', async () => {
    await begin(MAIN + SHARED);
    await silence(container());
    world.write('main.yaml', MAIN);
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    await world.settle(20_000);
    expect(world.condition('Session', 'talk', 'Ready')).toMatchObject({ reason: 'Terminating' });
    expect(world.condition('Session', 'talk', 'Ready')?.message).toContain('Sandbox main did not answer');
    world.restart('Sandbox', 'main');
    container().answers = true;
    await world.settle(40_000);
    expect(world.controller.store.get({ kind: 'Session', name: 'talk' })).toBeUndefined();
  });

  it('goes with the session that it was made for', async () => {
    await begin(DEDICATED);
    await silence(container());
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    await world.settle(20_000);
    expect(world.containers()).toEqual([]);
    expect(world.controller.store.get({ kind: 'Session', name: 'talk' })).toBeUndefined();
  });

  it('is restarted with the session that it was made for', async () => {
    await begin(DEDICATED);
    await silence(container());
    world.restart('Session', 'talk');
    await world.settle(20_000);
    expect(container().starts).toBe(2);
    container().answers = true;
    await world.settle(40_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(sessionsIn(container())).toHaveLength(1);
  });

  it('is tried again when it does not let an end through', async () => {
    await begin(MAIN + SHARED);
    world.engine.script = (where, request) =>
      request.command.length === 5 ? { exitCode: 124 } : playSessions(where, request);
    const stopped = SHARED.replace('sandbox: main', 'sandbox: main, state: Stopped');
    world.write('main.yaml', MAIN + stopped);
    await world.settle(3_000);
    expect(world.said('Session', 'talk')).toBe('Unknown NotObserved');
    world.engine.script = playSessions;
    await world.settle(10_000);
    expect(world.said('Session', 'talk')).toBe('False Stopped');
  });
});
