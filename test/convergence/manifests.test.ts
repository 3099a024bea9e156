import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { sessionsIn } from '../helpers/fake-sessions';
import { World } from '../helpers/world';

const PROJECT = manifest('Project', 'web', 'path: ../../web');
const MAIN = manifest('Sandbox', 'main', 'projects: [web]');
const STOPPED = MAIN.replace('[web]', '[web], state: Stopped');

let world: World;

beforeEach(() => {
  world = new World();
  world.directory('web');
});

afterEach(async () => {
  await world.close();
});

async function begin(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) world.write(name, text);
  await world.start();
  await world.settle(1_000);
}

const store = () => world.controller.store;
const has = (kind: 'Sandbox' | 'Project' | 'SandboxTemplate', name: string): boolean =>
  store().get({ kind, name }) !== undefined;

/** Everything of the world that a person would miss. */
function work(): unknown {
  return world.containers().map((container) => ({
    id: container.id,
    running: container.running,
    starts: container.starts,
    processes: sessionsIn(container).map(({ pid }) => pid),
  }));
}

const REAL = `apiVersion: berth.dev/v1alpha1
kind: Settings
metadata:
  name: default
spec:
  placement: PLACEMENT
  agent: shell
---
apiVersion: berth.dev/v1alpha1
kind: Project
metadata:
  name: web
spec:
  path: ../../web
---
apiVersion: berth.dev/v1alpha1
kind: Sandbox
metadata:
  name: main
spec:
  limits:
    memory: 4Gi
  keepRunning: true
  state: Running
  projects:
    - web
---
apiVersion: berth.dev/v1alpha1
kind: Session
metadata:
  name: talk
spec:
  agent: shell
  state: Running
  project: web
  sandbox: main
`;

describe('a manifest that is cut short', () => {
  it.each([
    ['Sandbox', 0],
    ['Host', REAL.lastIndexOf('---')],
  ])(
    'at any byte stops, removes, recreates and starts nothing (placement %s)',
    async (placement, from) => {
      const text = REAL.replace('PLACEMENT', placement);
      await begin({ 'others.yaml': BALLAST, 'main.yaml': text });
      expect(world.said('Session', 'talk')).toBe('True Running');
      const before = { work: work(), log: world.engine.writeLog() };
      for (let bytes = text.length; bytes >= from; bytes -= 1) {
        world.write('main.yaml', text.slice(0, bytes));
        await world.settle(80);
        if (text.slice(0, bytes).endsWith('---\n')) await world.settle(4_000);
        expect({ bytes, work: work(), log: world.engine.writeLog() }).toEqual({ bytes, ...before });
      }
      await world.settle(10_000);
      expect({ work: work(), log: world.engine.writeLog() }).toEqual(before);
      world.write('main.yaml', text);
      await world.settle(1_000);
      expect(world.said('Session', 'talk')).toBe('True Running');
      expect(world.said('Sandbox', 'main', 'Accepted')).toBe('True Valid');
      expect({ work: work(), log: world.engine.writeLog() }).toEqual(before);
    },
    30_000,
  );
});

describe('a mistake in a manifest', () => {
  it.each([
    ['an unknown key', MAIN.replace('projects', 'project'), 'UnknownField', 5, 'projects'],
    ['a wrong type', MAIN.replace('[web]', 'web'), 'InvalidManifest', 5, 'list'],
    ['a file that does not parse', `${MAIN}}`, 'InvalidManifest', 6, ''],
    [
      'a memory limit without a unit',
      MAIN.replace('[web]', '[web], limits: { memory: 4 }'),
      'InvalidManifest',
      5,
      'memory',
    ],
  ])('(%s) is told with its place, and what was last good stands', async (...row) => {
    const [, text, reason, line, word] = row;
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': MAIN });
    const before = work();
    world.write('main.yaml', text);
    await world.settle(8_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe(`False ${reason}`);
    const message = world.condition('Sandbox', 'main', 'Accepted')!.message;
    expect(message).toMatch(new RegExp(`^${join(world.manifests, 'main.yaml')}:${line}:\\d+: `));
    expect(message).toContain(word);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('False InvalidManifests');
    expect(work()).toEqual(before);
    await world.crash();
    await world.settle(8_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe(`False ${reason}`);
    expect(work()).toEqual(before);
    world.write('main.yaml', MAIN);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('True Valid');
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('True Valid');
  });
});

describe('an object that is declared twice', () => {
  it('stays as the file says that was there first, and both are named', async () => {
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': MAIN });
    world.write('again.yaml', STOPPED);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('False DuplicateObject');
    expect(world.condition('Sandbox', 'main', 'Accepted')?.message).toMatch(/again\.yaml.+main\.yaml/);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    world.remove('again.yaml');
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('True Valid');
  });

  it('stays so while that file is being edited, and while it is broken', async () => {
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': MAIN });
    const before = work();
    world.write('again.yaml', STOPPED);
    await world.settle(1_000);
    for (const text of [`${MAIN}# edited\n`, `${MAIN}}`, MAIN]) {
      world.write('main.yaml', text);
      for (let n = 0; n < 20; n += 1) {
        await world.settle(20);
        expect([text, work()]).toEqual([text, before]);
      }
    }
  });

  it('is what the other file says once the first has gone', async () => {
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': MAIN, 'z.yaml': STOPPED });
    world.remove('main.yaml');
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('False Stopped');
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('True Valid');
  });
});

describe('manifests that go', () => {
  it('with their directory take nothing with them', async () => {
    await begin({ 'main.yaml': BALLAST + PROJECT + MAIN });
    const before = work();
    renameSync(world.manifests, `${world.manifests}.away`);
    await world.settle(20_000);
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('False DirectoryMissing');
    expect([has('SandboxTemplate', 'a'), has('Project', 'web'), work()]).toEqual([true, true, before]);
    await world.settle(20_000);
    renameSync(`${world.manifests}.away`, world.manifests);
    await world.settle(20_000);
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('True Valid');
    expect(work()).toEqual(before);
  });

  it('with a directory that they were linked from take nothing with them', async () => {
    const team = world.directory('team');
    writeFileSync(join(team, 'more.yaml'), manifest('SandboxTemplate', 'more') + STOPPED);
    symlinkSync(team, join(world.manifests, 'team'));
    await begin({ 'main.yaml': BALLAST + PROJECT });
    expect([has('SandboxTemplate', 'more'), has('Sandbox', 'main')]).toEqual([true, true]);
    rmSync(team, { recursive: true });
    await world.settle(20_000);
    expect([has('SandboxTemplate', 'more'), has('Sandbox', 'main')]).toEqual([true, true]);
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('False InvalidManifests');
    rmSync(join(world.manifests, 'team'));
    await world.settle(20_000);
    expect([has('SandboxTemplate', 'more'), has('Sandbox', 'main')]).toEqual([false, false]);
  });

  it('many at once are held, at rest or not, and let go on request', async () => {
    await begin({ 'main.yaml': BALLAST + PROJECT + STOPPED });
    world.remove('main.yaml');
    await world.settle(20_000);
    expect([has('SandboxTemplate', 'a'), has('Project', 'web'), has('Sandbox', 'main')]).toEqual([true, true, true]);
    expect(world.said('SandboxTemplate', 'a', 'Accepted')).toBe('False ManifestMissing');
    store().requestDeletion({ kind: 'SandboxTemplate', name: 'a' });
    await world.settle(1_000);
    expect([has('SandboxTemplate', 'a'), has('SandboxTemplate', 'b')]).toEqual([false, true]);
    world.write('main.yaml', BALLAST + PROJECT + STOPPED);
    await world.settle(1_000);
    expect(world.said('SandboxTemplate', 'b', 'Accepted')).toBe('True Valid');
  });

  it('many at once are held across a crash as well', async () => {
    await begin({ 'main.yaml': BALLAST + PROJECT + STOPPED });
    await world.stop();
    world.remove('main.yaml');
    await world.start();
    await world.settle(20_000);
    await world.crash();
    await world.settle(20_000);
    expect([has('SandboxTemplate', 'a'), has('Sandbox', 'main')]).toEqual([true, true]);
  });

  it('and come back within two seconds were never gone', async () => {
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': STOPPED });
    const { uid } = world.object('Sandbox', 'main').metadata;
    for (let n = 0; n < 5; n += 1) {
      world.remove('main.yaml');
      await world.settle(1_500);
      world.write('main.yaml', STOPPED);
      await world.settle(500);
    }
    expect(world.object('Sandbox', 'main').metadata.uid).toBe(uid);
  });

  it('take running work with them where prune says Delete', async () => {
    await begin({
      'others.yaml': BALLAST + PROJECT + manifest('Settings', 'default', 'prune: Delete'),
      'main.yaml': MAIN,
    });
    world.remove('main.yaml');
    await world.settle(5_000);
    expect([has('Sandbox', 'main'), world.containers()]).toEqual([false, []]);
  });

  it('leave what runs to be let go once it is at rest', async () => {
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': MAIN });
    world.remove('main.yaml');
    await world.settle(5_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('False ManifestMissing');
    world.write('others.yaml', BALLAST + PROJECT);
    await world.settle(1_000);
    expect(has('Sandbox', 'main')).toBe(true);
  });

  it('give way to what is built in', async () => {
    await begin({ 'others.yaml': BALLAST, 'settings.yaml': manifest('Settings', 'default', 'placement: Sandbox') });
    world.remove('settings.yaml');
    await world.settle(5_000);
    expect(world.object<{ placement: string }>('Settings', 'default').spec.placement).toBe('Host');
    expect(world.said('Settings', 'default', 'Accepted')).toBe('True Valid');
  });
});

describe('a sandbox that names what is not there', () => {
  it.each([
    ['project', MAIN, PROJECT],
    [
      'template',
      manifest('Sandbox', 'main', 'template: mine'),
      manifest('SandboxTemplate', 'mine', 'keepRunning: true'),
    ],
  ])('(a %s) waits for it by name, and goes on by itself', async (_, text, missing) => {
    await begin({ 'others.yaml': BALLAST, 'main.yaml': text });
    expect(world.said('Sandbox', 'main')).toBe('False ReferenceNotFound');
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('False ReferenceNotFound');
    expect(world.containers()).toEqual([]);
    world.write('more.yaml', missing);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('True Valid');
  });

  it('any more runs on as it is', async () => {
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': MAIN });
    const before = work();
    store().requestDeletion({ kind: 'Project', name: 'web' });
    world.write('others.yaml', BALLAST);
    await world.settle(5_000);
    expect(has('Project', 'web')).toBe(false);
    expect(work()).toEqual(before);
  });
});

describe('limits that are declared for what runs', () => {
  it('are not said to be enforced before the container has them', async () => {
    const free = MAIN.replace('[web]', '[web], limits: { memory: EngineDefault }');
    await begin({ 'others.yaml': BALLAST + PROJECT, 'main.yaml': free });
    expect(world.said('Sandbox', 'main', 'LimitsEnforced')).toBe('True Enforced');
    world.write('main.yaml', MAIN);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'LimitsEnforced')).toBe('False LimitsChanged');
    expect(world.condition('Sandbox', 'main', 'LimitsEnforced')?.message).toContain('memory');
    world.restart('Sandbox', 'main');
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'LimitsEnforced')).toBe('True Enforced');
  });
});
