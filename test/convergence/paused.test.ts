import type { SessionStatus } from '../../crds/session';
import type { FakeContainer } from '../../runtimes/fake';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { sessionsIn } from '../helpers/fake-sessions';
import { World } from '../helpers/world';

const PROJECT = manifest('Project', 'web', 'path: ../../web');
const MAIN = manifest('Sandbox', 'main', 'projects: [web]');
const SHARED = manifest('Session', 'talk', 'project: web, agent: shell, sandbox: main');
const DEDICATED = manifest('Session', 'talk', 'project: web, agent: shell, placement: Sandbox');

describe('a container that somebody paused', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
    world.directory('web');
    world.write('others.yaml', BALLAST + PROJECT);
  });

  afterEach(async () => {
    await world.close();
  });

  /** The manifests come up, then the container is paused by hand. */
  async function pause(text: string): Promise<void> {
    world.write('main.yaml', text);
    await world.start();
    await world.settle(1_000);
    world.engine.pause(container().id);
    await world.settle(1_000);
  }

  const container = (): FakeContainer => world.containers()[0]!;
  const status = (): SessionStatus => world.object<unknown, SessionStatus>('Session', 'talk').status!;
  const gone = (kind: 'Sandbox' | 'Session', name: string): boolean => !world.controller.store.get({ kind, name });

  it('is said to be so, with what lets it go on, and is left alone', async () => {
    await pause(MAIN);
    expect(world.said('Sandbox', 'main')).toBe('False Paused');
    const message = world.condition('Sandbox', 'main', 'Ready')?.message;
    expect(message).toContain(`"docker unpause ${container().name}"`);
    const writes = world.engine.writes();
    await world.settle(60_000, 100);
    expect([container().paused, world.engine.writes()]).toEqual([true, writes]);
    world.engine.pause(container().id, false);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('names the command of its own engine', async () => {
    world.addEngine('Podman');
    world.write('settings.yaml', manifest('Settings', 'default', 'runtime: { kind: Podman }'));
    world.write('main.yaml', MAIN);
    await world.start();
    await world.settle(1_000);
    const podman = world.others.get('Podman')!;
    const [made] = [...podman.containers.values()];
    podman.pause(made!.id);
    await world.settle(1_000);
    expect(world.condition('Sandbox', 'main', 'Ready')?.message).toContain(`"podman unpause ${made!.name}"`);
  });

  it('pauses its sessions, which are asked for in peace and go on with it as they were', async () => {
    await pause(MAIN + SHARED);
    const before = status();
    expect(world.said('Session', 'talk')).toBe('False SandboxPaused');
    let looks = 0;
    world.engine.faults.beforeEffect = () => (looks += 1);
    await world.settle(120_000, 250);
    expect(looks).toBeLessThan(6);
    expect(status()).toEqual(before);
    world.engine.pause(container().id, false);
    await world.settle(1_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(status()).toMatchObject({ pid: before.pid, startedAt: before.startedAt });
    expect(container().processes.size).toBe(1);
  });

  it('is started anew by a restart of its sandbox', async () => {
    await pause(MAIN + SHARED);
    world.restart('Sandbox', 'main');
    await world.settle(2_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(container()).toMatchObject({ paused: false, starts: 2 });
    expect(world.said('Session', 'talk')).toBe('True Running');
    expect(sessionsIn(container())).toHaveLength(1);
  });

  it('is stopped when its sandbox is declared stopped', async () => {
    await pause(MAIN);
    world.write('main.yaml', manifest('Sandbox', 'main', 'projects: [web], state: Stopped'));
    await world.settle(6_000);
    expect(world.said('Sandbox', 'main')).toBe('False Stopped');
  });

  it('goes with its sandbox', async () => {
    await pause(MAIN);
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    await world.settle(2_000);
    expect([world.containers(), gone('Sandbox', 'main')]).toEqual([[], true]);
  });

  it('goes, or is started anew, with the session that it was made for', async () => {
    await pause(DEDICATED);
    world.restart('Session', 'talk');
    await world.settle(2_000);
    expect(world.said('Session', 'talk')).toBe('True Running');
    world.engine.pause(container().id);
    await world.settle(1_000);
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    await world.settle(2_000);
    expect([world.containers(), gone('Session', 'talk')]).toEqual([[], true]);
  });

  it('keeps a session of a shared sandbox from going until it goes on', async () => {
    await pause(MAIN + SHARED);
    world.write('main.yaml', MAIN);
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    await world.settle(2_000);
    expect(world.condition('Session', 'talk', 'Ready')?.message).toContain('Sandbox main is paused');
    world.engine.pause(container().id, false);
    await world.settle(2_000);
    expect(gone('Session', 'talk')).toBe(true);
    expect(container().processes.size).toBe(0);
  });
});
