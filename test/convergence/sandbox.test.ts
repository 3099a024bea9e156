import { existsSync, rmSync } from 'node:fs';
import type { SandboxStatus } from '../../crds/sandbox';
import { World } from '../helpers/world';

const SANDBOX = `
apiVersion: berth.dev/v1alpha1
kind: Project
metadata: { name: web }
spec: { path: ../../web }
---
apiVersion: berth.dev/v1alpha1
kind: Sandbox
metadata: { name: main }
spec: { projects: [web] }
`;
const EDITED = SANDBOX.replace('projects: [web]', 'projects: [web], keepRunning: true');

/** What keeps the file from being all there is: losing everything at once would be taken for an accident. */
const OTHERS = ['a', 'b', 'c']
  .map((name) => `---\napiVersion: berth.dev/v1alpha1\nkind: SandboxTemplate\nmetadata: { name: ${name} }\nspec: {}\n`)
  .join('');

describe('a sandbox', () => {
  let world: World;

  beforeEach(async () => {
    world = new World();
    world.directory('web');
    world.write('others.yaml', OTHERS);
    world.write('main.yaml', SANDBOX);
    await world.start();
    await world.settle();
  });

  afterEach(async () => {
    await world.close();
  });

  it('is made and runs, with exactly its project and its own home mounted', () => {
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers().map(({ running, spec }) => [running, spec.mounts.map(({ source }) => source)])).toEqual([
      [true, [`${world.root}/berth/data/sandboxes/main/home`, `${world.root}/web`].sort()],
    ]);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('True UpToDate');
    expect(world.object<unknown, SandboxStatus>('Sandbox', 'main').status?.projects).toEqual(['web']);
  });

  it('is left alone by further passes', async () => {
    const before = { writes: world.engine.writes(), revision: world.controller.store.revision() };
    world.controller.manager.resync();
    await world.settle(200);
    expect({ writes: world.engine.writes(), revision: world.controller.store.revision() }).toEqual(before);
  });

  it('is marked out of date by an edit, untouched, and the mark clears when the edit is taken back', async () => {
    const [container] = world.containers();
    world.write('main.yaml', EDITED);
    await world.settle(6_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('False RestartPolicyChanged');
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers()).toEqual([container]);
    expect(container?.starts).toBe(1);
    world.write('main.yaml', SANDBOX);
    await world.settle(6_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('True UpToDate');
    expect(container?.starts).toBe(1);
  });

  it('gets what was edited by a restart', async () => {
    world.write('main.yaml', EDITED);
    await world.settle(6_000);
    world.controller.store.annotate(
      { kind: 'Sandbox', name: 'main' },
      { 'berth.dev/restartedAt': new Date(world.clock.now()).toISOString() },
    );
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('True UpToDate');
    expect(world.containers().map(({ running, spec }) => [running, spec.restart])).toEqual([[true, 'unless-stopped']]);
  });

  it('is stopped and started by a restart, and not recreated, when nothing changed', async () => {
    const [container] = world.containers();
    world.controller.store.annotate(
      { kind: 'Sandbox', name: 'main' },
      { 'berth.dev/restartedAt': new Date(world.clock.now()).toISOString() },
    );
    await world.settle(1_000);
    expect(world.containers()).toEqual([container]);
    expect(container).toMatchObject({ running: true, starts: 2 });
  });

  it('keeps what it last was while its file is broken', async () => {
    world.write('main.yaml', SANDBOX.slice(0, -12));
    await world.settle(8_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('False InvalidManifest');
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers().map(({ running }) => running)).toEqual([true]);
    world.write('main.yaml', SANDBOX);
    await world.settle(6_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('True Valid');
  });

  it('is held while it runs when its file has gone, and deleted on request with nothing left', async () => {
    world.remove('main.yaml');
    await world.settle(10_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('False ManifestMissing');
    expect(world.containers()[0]?.running).toBe(true);
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    await world.settle(4_000);
    expect(world.containers()).toEqual([]);
    expect(world.controller.store.get({ kind: 'Sandbox', name: 'main' })).toBeUndefined();
    expect(world.controller.store.get({ kind: 'Project', name: 'web' })).toBeUndefined();
  });

  it('is let go when its file has gone and it is at rest', async () => {
    world.write('main.yaml', SANDBOX.replace('projects: [web]', 'projects: [web], state: Stopped'));
    await world.settle(6_000);
    expect(world.said('Sandbox', 'main')).toBe('False Stopped');
    world.remove('main.yaml');
    await world.settle(10_000);
    expect(world.controller.store.get({ kind: 'Sandbox', name: 'main' })).toBeUndefined();
    expect(world.containers()).toEqual([]);
  });

  it('comes back by itself when it is stopped from outside, and stays down after three tries in vain', async () => {
    const id = world.containers()[0]!.id;
    world.engine.exit(id);
    await world.settle(500);
    expect(world.engine.container(id)).toMatchObject({ running: true, starts: 2 });
    for (let n = 0; n < 5; n += 1) {
      if (world.engine.container(id).running) world.engine.exit(id);
      await world.settle(16_000);
    }
    expect(world.engine.container(id)).toMatchObject({ running: false, starts: 4 });
    expect(world.said('Sandbox', 'main')).toBe('False SandboxStopped');
    await world.settle(120_000);
    expect(world.engine.container(id).starts).toBe(4);
    world.controller.store.annotate(
      { kind: 'Sandbox', name: 'main' },
      { 'berth.dev/restartedAt': new Date(world.clock.now()).toISOString() },
    );
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  const told = () => {
    const events = world.controller.events.list({ kind: 'Sandbox', name: 'main' });
    return events.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  };

  it('tells that it was ended or removed from outside, and not that a restart ended it', async () => {
    world.restart('Sandbox', 'main');
    await world.settle(1_000);
    expect(told().join()).not.toContain('EndedFromOutside');
    world.engine.exit(world.containers()[0]!.id);
    await world.settle(70_000);
    expect(told()).toContainEqual(expect.stringMatching(/^Warning EndedFromOutside .*exit code \d+.*started again/));
    world.engine.disappear(world.containers()[0]!.id);
    await world.settle(1_000);
    expect(told()).toContainEqual(expect.stringMatching(/^Warning EndedFromOutside .*removed from outside/));
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('is out of date when its home was taken away, and has one again after a restart', async () => {
    const home = world.containers()[0]!.spec.mounts.find(({ target }) => target === '/home/berth')!.source;
    rmSync(home, { recursive: true });
    world.controller.manager.resync();
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('False MountsChanged');
    expect(world.condition('Sandbox', 'main', 'UpToDate')).toBeDefined();
    world.restart('Sandbox', 'main');
    await world.settle(2_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('True UpToDate');
    expect(existsSync(home)).toBe(true);
  });

  it('names what does not exist before what can’t be used', async () => {
    const broken = '---\napiVersion: berth.dev/v1alpha1\nkind: Project\nmetadata: { name: home }\nspec: { path: ~ }\n';
    world.write('home.yaml', broken.replace('~', "'~'"));
    world.write('main.yaml', SANDBOX.replace('projects: [web]', 'projects: [home, nope]'));
    await world.settle(2_000);
    expect(world.said('Sandbox', 'main', 'Accepted')).toBe('False ReferenceNotFound');
    expect(world.condition('Sandbox', 'main', 'Accepted')?.message).toContain('Project nope does not exist');
  });

  it('gets all its tries back once it ran for a while', async () => {
    const id = world.containers()[0]!.id;
    for (let n = 0; n < 6; n += 1) {
      world.engine.exit(id);
      await world.settle(70_000);
      expect(world.engine.container(id).running).toBe(true);
    }
  });
});
