import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerSpec } from '../../runtimes/runtime';
import { fakeRuntime, type FakeContainer } from '../../runtimes/fake';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { World } from '../helpers/world';

const SANDBOX = manifest('Sandbox', 'main', 'projects: [web]');
const PROJECT = manifest('Project', 'web', 'path: ../../web');

/** Containers that are not ours: nothing of ours may stop, start or remove them, whatever they carry. */
describe('a container that somebody else made', () => {
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

  async function make(spec: ContainerSpec): Promise<FakeContainer> {
    const { containers } = fakeRuntime(world.engine);
    const id = await containers.create(spec);
    await containers.start(id);
    return world.engine.container(id);
  }

  function ours(): FakeContainer {
    return world.containers()[0]!;
  }

  /** Everything that we could do to it. */
  async function provoke(): Promise<void> {
    world.restart('Sandbox', 'main');
    await world.settle(12_000);
    world.write('main.yaml', manifest('Sandbox', 'main', 'projects: [web], state: Stopped'));
    await world.settle(12_000);
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    await world.settle(12_000);
    expect(world.controller.store.get({ kind: 'Sandbox', name: 'main' })).toBeUndefined();
  }

  it('keeps its name, and the sandbox says what is in its way', async () => {
    await begin(SANDBOX);
    const spec = { ...ours().spec, labels: {} };
    world.engine.disappear(ours().id);
    const theirs = await make(spec);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('False NameConflict');
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('Unknown NoContainer');
    await provoke();
    expect(world.containers()).toEqual([theirs]);
    expect(theirs).toMatchObject({ running: true, starts: 1 });
  });

  it('is what an earlier controller left when the state store was lost, and nothing runs twice on one home', async () => {
    await begin(SANDBOX);
    await world.stop();
    for (const name of readdirSync(join(world.root, 'berth/state'))) rmSync(join(world.root, 'berth/state', name));
    await world.start();
    await world.settle(12_000);
    expect(world.containers()).toHaveLength(1);
    expect(ours()).toMatchObject({ running: true, starts: 1 });
    expect(world.said('Sandbox', 'main')).toBe('False NameConflict');
    expect(world.condition('Sandbox', 'main', 'Ready')?.message).toContain('the state store was lost');
    world.engine.disappear(ours().id);
    await world.settle(40_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('is another home’s, when this one is a copy of it', async () => {
    await begin(SANDBOX);
    await world.stop();
    const [data, away] = [join(world.root, 'berth/data'), join(world.root, 'berth/original')];
    renameSync(data, away);
    cpSync(away, data, { recursive: true });
    await expect(world.start()).rejects.toThrow(/is a copy of another home.*Remove .*instance/);
    rmSync(join(data, 'instance'));
    await world.start();
    await world.settle(12_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers()).toHaveLength(2);
    expect(new Set(world.containers().map(({ spec }) => spec.name)).size).toBe(2);
    expect(world.containers()[0]).toMatchObject({ running: true, starts: 1 });
  });

  it('is ours still when the home was moved', async () => {
    await begin(SANDBOX);
    await world.stop();
    renameSync(join(world.root, 'berth/data'), join(world.root, 'berth/elsewhere'));
    renameSync(join(world.root, 'berth/elsewhere'), join(world.root, 'berth/data'));
    await world.start();
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers()).toHaveLength(1);
  });

  it('is not taken for ours when all labels were copied from a living one', async () => {
    await begin(SANDBOX);
    const { spec } = ours();
    world.engine.disappear(ours().id);
    const theirs = await make(spec);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('False NameConflict');
    await provoke();
    expect(theirs).toMatchObject({ running: true, starts: 1 });
  });

  it('is not taken for ours when it was made from a copy while a crash kept us from learning its id', async () => {
    let crash = true;
    world.engine.faults.afterEffect = (effect) => {
      if (effect !== 'containers.create' || !crash) return;
      crash = false;
      world.die();
      throw new Error('crash');
    };
    await begin(SANDBOX);
    await world.crash();
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    const { spec } = ours();
    world.engine.disappear(ours().id);
    const theirs = await make(spec);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('False NameConflict');
    await provoke();
    expect(theirs).toMatchObject({ running: true, starts: 1 });
  });

  it('is not taken for ours when a copy of the labels was there before the one that replaces it', async () => {
    await begin(SANDBOX);
    const { spec } = ours();
    world.engine.faults.loseEvents = true;
    world.engine.disappear(ours().id);
    let theirs: FakeContainer | undefined;
    world.engine.faults.beforeEffect = (effect) => {
      if (effect !== 'containers.create' || theirs) return;
      world.engine.faults.beforeEffect = undefined;
      void make(spec).then((made) => (theirs = made));
      throw new Error('the connection was reset');
    };
    world.controller.manager.resync();
    await world.settle(2_000);
    world.engine.faults.loseEvents = false;
    await provoke();
    expect(theirs).toMatchObject({ running: true, starts: 1 });
  });

  it('lives on beside ours under another name, with labels like ours', async () => {
    await begin(SANDBOX);
    const theirs = await make({ ...ours().spec, name: 'theirs' });
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    await provoke();
    expect(world.containers()).toEqual([theirs]);
    expect(theirs).toMatchObject({ running: true, starts: 1 });
  });

  it('makes way, and the sandbox comes by itself', async () => {
    await begin(SANDBOX);
    const spec = { ...ours().spec, labels: {} };
    world.engine.disappear(ours().id);
    const theirs = await make(spec);
    await world.settle(1_000);
    world.engine.disappear(theirs.id);
    await world.settle(12_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers()).toHaveLength(1);
  });
});
