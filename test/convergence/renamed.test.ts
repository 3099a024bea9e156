import { fakeRuntime, type FakeContainer } from '../../runtimes/fake';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { sessionsIn } from '../helpers/fake-sessions';
import { World } from '../helpers/world';

const PROJECT = manifest('Project', 'web', 'path: ../../web');
const SANDBOX = manifest('Sandbox', 'main', 'projects: [web]');
const EDITED = manifest('Sandbox', 'main', 'projects: [web], limits: { processes: 77 }');
const SESSION = manifest('Session', 'talk', 'project: web, agent: shell, sandbox: main');

/** Names are the person's to change; which container is ours is told by what is on record of it. */
describe('a container of ours that somebody renamed', () => {
  let world: World;
  let ours: FakeContainer;
  let name: string;

  beforeEach(async () => {
    world = new World();
    world.directory('web');
    world.write('others.yaml', BALLAST + PROJECT);
    world.write('main.yaml', SANDBOX + SESSION);
    await world.start();
    await world.settle(1_000);
    ours = world.containers()[0]!;
    name = ours.name;
  });

  afterEach(async () => {
    await world.close();
  });

  async function rename(): Promise<void> {
    world.engine.rename(ours.id, 'mine');
    await world.settle(1_000);
  }

  /** Somebody else's container comes to have the name. */
  async function take(): Promise<FakeContainer> {
    const { containers } = fakeRuntime(world.engine);
    const id = await containers.create({ ...ours.spec, name });
    await containers.start(id);
    await world.settle(11_000);
    return world.engine.container(id);
  }

  async function forget(): Promise<void> {
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Session', name: 'talk' });
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    await world.settle(3_000);
    expect(world.controller.store.get({ kind: 'Sandbox', name: 'main' })).toBeUndefined();
  }

  const says = () => world.object<unknown, { containerName?: string }>('Sandbox', 'main').status?.containerName;

  it('is used on as it is, and shown by the name that it has', async () => {
    await rename();
    expect(world.containers()).toEqual([ours]);
    expect(ours).toMatchObject({ running: true, starts: 1 });
    expect([world.said('Sandbox', 'main'), says()]).toEqual(['True Ready', 'mine']);
    expect([world.said('Session', 'talk'), sessionsIn(ours).length]).toEqual(['True Running', 1]);
  });

  it('is the same to a controller that comes later', async () => {
    world.engine.faults.loseEvents = true;
    world.engine.rename(ours.id, 'mine');
    await world.crash();
    await world.settle(2_000);
    expect([world.containers(), world.said('Sandbox', 'main')]).toEqual([[ours], 'True Ready']);
  });

  it('is started again when it was stopped, too', async () => {
    await rename();
    world.engine.exit(ours.id);
    await world.settle(2_000);
    expect(world.containers()).toEqual([ours]);
    expect(ours).toMatchObject({ running: true, starts: 2 });
  });

  it('is replaced by one of the right name when a restart replaces it', async () => {
    await rename();
    world.write('main.yaml', EDITED + SESSION);
    await world.settle(3_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('False LimitsChanged');
    world.restart('Sandbox', 'main');
    await world.settle(3_000);
    expect(world.containers().map((each) => each.name)).toEqual([name]);
    expect([world.said('Sandbox', 'main'), says()]).toEqual(['True Ready', name]);
  });

  it('goes with its sandbox', async () => {
    await rename();
    await forget();
    expect(world.containers()).toEqual([]);
  });

  it('is used on beside another that took its name, which is left alone', async () => {
    await rename();
    const theirs = await take();
    expect([world.said('Sandbox', 'main'), says()]).toEqual(['True Ready', 'mine']);
    world.restart('Sandbox', 'main');
    await world.settle(3_000);
    expect(ours).toMatchObject({ running: true, starts: 2 });
    await forget();
    expect(world.containers()).toEqual([theirs]);
    expect(theirs).toMatchObject({ running: true, starts: 1 });
  });

  it('is not given up for one that could not be made while another has its name', async () => {
    await rename();
    const theirs = await take();
    world.write('main.yaml', EDITED + SESSION);
    await world.settle(3_000);
    world.restart('Sandbox', 'main');
    await world.settle(12_000);
    expect(world.containers()).toEqual([ours, theirs]);
    expect(ours).toMatchObject({ running: true, starts: 1 });
    world.engine.exit(ours.id);
    await world.settle(12_000);
    expect(world.said('Sandbox', 'main')).toBe('False NameConflict');
    world.engine.disappear(theirs.id);
    await world.settle(12_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers().map((each) => each.name)).toEqual([name]);
  });

  it('is another one when only its labels are like those of ours', async () => {
    const { containers } = fakeRuntime(world.engine);
    world.engine.disappear(ours.id);
    const id = await containers.create({ ...ours.spec, name: 'copy' });
    await world.settle(3_000);
    expect(
      world
        .containers()
        .map((each) => each.name)
        .sort(),
    ).toEqual([name, 'copy'].sort());
    await forget();
    expect(world.containers().map((each) => each.id)).toEqual([id]);
  });
});
