import type { SandboxStatus } from '../../crds/sandbox';
import { FAILURE_CAUSES } from '../../crds/failures';
import { imageNotFound, RuntimeError } from '../../runtimes/errors';
import type { Query } from '../../runtimes/fake';
import { engineGone } from '../../runtimes/fake/faults';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { World } from '../helpers/world';

const PROJECT = manifest('Project', 'web', 'path: ../../web');
const SANDBOX = manifest('Sandbox', 'main', 'projects: [web]');

let world: World;

afterEach(async () => {
  await world.close();
});

async function begin(text = SANDBOX, made = new World()): Promise<void> {
  world = made;
  world.directory('web');
  world.write('others.yaml', BALLAST + PROJECT);
  world.write('main.yaml', text);
  await world.start();
  await world.settle(1_000);
}

const status = (): SandboxStatus => world.object<unknown, SandboxStatus>('Sandbox', 'main').status!;

describe('an engine', () => {
  it('that is down at the start is waited for, and its containers are found again', async () => {
    await begin();
    const [container] = world.containers();
    await world.stop();
    world.engine.die();
    await world.start();
    await world.settle(5_000);
    expect(world.said('Settings', 'default')).toBe('False NotRunning');
    expect(world.said('Sandbox', 'main')).toBe('False NotRunning');
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('Unknown NotObserved');
    expect(status().containerId).toBe(container?.id);
    world.engine.faults.unavailable = false;
    await world.settle(35_000);
    expect(world.said('Settings', 'default')).toBe('True RuntimeReady');
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers()).toEqual([container]);
    expect(container?.starts).toBe(1);
  });

  it('that comes and goes loses nothing and makes nothing twice', async () => {
    await begin();
    const [container] = world.containers();
    for (let n = 0; n < 4; n += 1) {
      world.engine.die();
      await world.settle(3_000);
      expect(world.said('Sandbox', 'main')).toBe('False NotRunning');
      expect(status()).toMatchObject({
        containerId: container?.id,
        failure: { cause: 'NotRunning', stage: 'CheckingRuntime' },
      });
      for (const type of ['UpToDate', 'Isolated', 'LimitsEnforced', 'NetworkEnforced'])
        expect(world.said('Sandbox', 'main', type)).toBe('Unknown NotObserved');
      world.engine.faults.unavailable = false;
      await world.settle(3_000);
      expect(world.said('Sandbox', 'main')).toBe('True Ready');
    }
    expect(world.containers()).toEqual([container]);
    expect(container?.starts).toBe(1);
    expect(status().failure).toBeUndefined();
  });

  it('that takes containers down with it has them started again when it is back', async () => {
    await begin();
    const [container] = world.containers();
    world.engine.die();
    container?.end(137);
    await world.settle(3_000);
    world.engine.faults.unavailable = false;
    await world.settle(8_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers()).toEqual([container]);
  });

  it('that hangs up without a word is noticed by the settings within two minutes, even without a sandbox', async () => {
    await begin(manifest('Settings', 'default', 'placement: Sandbox'));
    expect(world.said('Settings', 'default')).toBe('True RuntimeReady');
    world.engine.faults.unavailable = true;
    await world.settle(120_000);
    expect(world.said('Settings', 'default')).toBe('False NotRunning');
    world.engine.faults.unavailable = false;
    await world.settle(60_000);
    expect(world.said('Settings', 'default')).toBe('True RuntimeReady');
  });

  it('that is away while a sandbox is deleted has nothing left when it is back', async () => {
    await begin();
    world.engine.die();
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    await world.settle(5_000);
    expect(world.said('Sandbox', 'main')).toBe('False Terminating');
    world.engine.faults.unavailable = false;
    await world.settle(35_000);
    expect(world.containers()).toEqual([]);
    expect(world.controller.store.get({ kind: 'Sandbox', name: 'main' })).toBeUndefined();
  });

  it.each([-600_000, 600_000])(
    'whose clock is %p ms ahead of ours makes one restart of one request',
    async (engineAheadMs) => {
      await begin(SANDBOX, new World({ engineAheadMs }));
      world.restart('Sandbox', 'main');
      await world.settle(10_000);
      expect(world.containers().map(({ running, starts }) => [running, starts])).toEqual([[true, 2]]);
      await world.crash();
      await world.settle(2_000);
      world.restart('Sandbox', 'main');
      await world.settle(10_000);
      expect(world.containers().map(({ running, starts }) => [running, starts])).toEqual([[true, 3]]);
    },
  );

  it('whose clock is behind ours has a container that ends at once started no more often than others', async () => {
    await begin(SANDBOX, new World({ engineAheadMs: -600_000 }));
    const id = world.containers()[0]!.id;
    for (let n = 0; n < 10; n += 1) {
      if (world.engine.container(id).running) world.engine.exit(id);
      await world.settle(16_000);
    }
    expect(world.engine.container(id)).toMatchObject({ running: false, starts: 4 });
  });

  it('that goes away in the middle of each start uses up none of them', async () => {
    world = new World();
    for (let n = 0; n < 8; n += 1) world.engine.faults.failNext('containers.start', engineGone());
    await begin(SANDBOX, world);
    await world.settle(90_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('of another kind gets the container at a restart, which removes the old one where it is', async () => {
    world = new World();
    const docker = world.addEngine('Docker');
    const podman = world.addEngine('Podman');
    await begin(SANDBOX, world);
    expect([docker.containers.size, podman.containers.size]).toEqual([1, 0]);
    world.write('settings.yaml', manifest('Settings', 'default', 'runtime: { kind: Podman }'));
    await world.settle(12_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('False RuntimeChanged');
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect([docker.containers.size, podman.containers.size]).toEqual([1, 0]);
    world.restart('Sandbox', 'main');
    await world.settle(3_000);
    expect([docker.containers.size, podman.containers.size]).toEqual([0, 1]);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('True UpToDate');
    expect(status().runtime?.kind).toBe('Podman');
  });

  it('of the former kind that is away keeps the sandbox from being made twice', async () => {
    world = new World();
    const docker = world.addEngine('Docker');
    const podman = world.addEngine('Podman');
    await begin(SANDBOX, world);
    docker.die();
    world.write('settings.yaml', manifest('Settings', 'default', 'runtime: { kind: Podman }'));
    world.restart('Sandbox', 'main');
    await world.settle(12_000);
    expect(podman.containers.size).toBe(0);
    expect(world.said('Sandbox', 'main')).toBe('False NotRunning');
    docker.faults.unavailable = false;
    await world.settle(35_000);
    expect([docker.containers.size, podman.containers.size]).toEqual([0, 1]);
  });
});

describe('an image', () => {
  const REMOTE = manifest('Sandbox', 'main', 'image: { reference: example.org/tools:1, source: Registry }');
  const image = { id: 'sha256:tools', labels: {}, environment: {} };

  it('that is built here and missing is named, and the sandbox heals once it is built', async () => {
    world = new World();
    world.engine.images.clear();
    await begin(SANDBOX, world);
    expect(world.said('Sandbox', 'main')).toBe('False ImageNotFound');
    expect(world.condition('Sandbox', 'main', 'Ready')?.message).toContain('localhost/berth/sandbox:dev');
    expect(status().failure).toMatchObject({ stage: 'GettingImage', cause: 'ImageNotFound' });
    world.engine.addImage('localhost/berth/sandbox:dev');
    await world.settle(35_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(status().failure).toBeUndefined();
  });

  it('is pulled when it is not here', async () => {
    world = new World();
    world.engine.registry.set('example.org/tools:1', image);
    await begin(REMOTE, world);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(status().image).toEqual({ reference: 'example.org/tools:1', id: 'sha256:tools' });
    expect(status().progress).toBeUndefined();
  });

  it('is loaded from an archive beside the manifest when it is not here', async () => {
    world = new World();
    world.engine.archives.set(`${world.manifests}/tools.tar`, { 'localhost/tools:1': image });
    const spec = 'projects: [web], image: { reference: "localhost/tools:1", source: Archive, archive: ./tools.tar }';
    await begin(manifest('Sandbox', 'main', spec), world);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(status().image?.reference).toBe('localhost/tools:1');
  });

  it('is not loaded from an archive that a session could have put there', async () => {
    world = new World();
    const archive = `${world.root}/web/tools.tar`;
    world.engine.archives.set(archive, { 'localhost/tools:1': image });
    const spec = `projects: [web], image: { reference: "localhost/tools:1", source: Archive, archive: ${archive} }`;
    await begin(manifest('Sandbox', 'main', spec), world);
    await world.settle(5_000);
    expect(world.said('Sandbox', 'main')).toBe('False ImagePullFailed');
    expect(world.condition('Sandbox', 'main', 'Ready')?.message).toContain('sessions may write');
    expect(world.containers()).toEqual([]);
  });

  it('shows how far its pull is, and is used when the pull ends', async () => {
    world = new World();
    world.engine.registry.set('example.org/tools:1', image);
    let arrive = (): void => undefined;
    world.engine.transfers = new Promise((resolve) => (arrive = resolve));
    await begin(REMOTE, world);
    expect(world.said('Sandbox', 'main')).toBe('False GettingImage');
    expect(status()).toMatchObject({
      stage: 'GettingImage',
      progress: { currentBytes: 2_000_000, totalBytes: 2_000_000 },
    });
    arrive();
    await world.settle(500);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(status().progress).toBeUndefined();
  });

  it('that two sandboxes wait for is there for both as soon as it has come', async () => {
    world = new World();
    world.engine.registry.set('example.org/tools:1', image);
    let arrive = (): void => undefined;
    world.engine.transfers = new Promise((resolve) => (arrive = resolve));
    await begin(REMOTE + REMOTE.replace('main', 'other'), world);
    arrive();
    await world.settle(1_000);
    expect([world.said('Sandbox', 'main'), world.said('Sandbox', 'other')]).toEqual(['True Ready', 'True Ready']);
    expect(world.engine.writeLog().filter((effect) => effect === 'images.pull')).toHaveLength(1);
  });

  it('that is on its way when the controller ends is pulled anew by the next one', async () => {
    world = new World();
    world.engine.registry.set('example.org/tools:1', image);
    world.engine.transfers = new Promise(() => undefined);
    await begin(REMOTE, world);
    world.engine.transfers = undefined;
    await world.crash();
    await world.settle(500);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('is no longer waited for when its sandbox is deleted on the way', async () => {
    world = new World();
    world.engine.registry.set('example.org/tools:1', image);
    world.engine.transfers = new Promise(() => undefined);
    await begin(REMOTE, world);
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    await world.settle(500);
    expect(world.controller.store.get({ kind: 'Sandbox', name: 'main' })).toBeUndefined();
  });

  it('that no registry has is named, and the sandbox heals once one does', async () => {
    await begin(REMOTE);
    expect(world.said('Sandbox', 'main')).toBe('False ImageNotFound');
    world.engine.registry.set('example.org/tools:1', image);
    await world.settle(60_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('that is always pulled is fetched once for each new container, and never for one that runs', async () => {
    world = new World();
    world.engine.registry.set('example.org/tools:1', image);
    await begin(REMOTE.replace('Registry', 'Registry, pullPolicy: Always'), world);
    const pulls = (): number => world.engine.writeLog().filter((effect) => effect === 'images.pull').length;
    expect(pulls()).toBe(1);
    world.controller.manager.resync();
    await world.settle(70_000);
    expect(pulls()).toBe(1);
    world.engine.registry.set('example.org/tools:1', { ...image, id: 'sha256:newer' });
    world.restart('Sandbox', 'main');
    await world.settle(2_000);
    expect(pulls()).toBe(2);
    expect(status().image?.id).toBe('sha256:newer');
  });

  it('that can not be fetched for a restart leaves what runs', async () => {
    world = new World();
    world.engine.registry.set('example.org/tools:1', image);
    await begin(REMOTE.replace('Registry', 'Registry, pullPolicy: Always'), world);
    world.engine.registry.clear();
    world.restart('Sandbox', 'main');
    await world.settle(10_000);
    expect(world.containers().map(({ running, starts }) => [running, starts])).toEqual([[true, 1]]);
    expect(world.said('Sandbox', 'main')).toBe('False ImageNotFound');
  });

  it('with new content under the old name makes what runs out of date, and no more', async () => {
    await begin();
    world.engine.addImage('localhost/berth/sandbox:dev');
    world.controller.manager.resync();
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('False ImageChanged');
    expect(world.containers()[0]?.starts).toBe(1);
    expect(status().image?.reference).toBe(world.containers()[0]?.spec.imageId);
  });
});

describe('a call that fails', () => {
  const METHODS: readonly (readonly [Query, string])[] = [
    ['probe', 'CheckingRuntime'],
    ['containers.observe', 'CheckingRuntime'],
    ['images.find', 'CheckingRuntime'],
    ['containers.create', 'Creating'],
    ['containers.start', 'Starting'],
  ];

  const failures = FAILURE_CAUSES.map((cause) => {
    const slots = { detail: 'the disk is full', reference: 'tools', path: '/w', limit: 'memory', port: '80' };
    return new RuntimeError({ code: 'Internal', failure: { cause, slots }, detail: 'the disk is full\nand more' });
  });

  it.each(METHODS)(
    '(%s) is told in the words of the catalogue, then tried again',
    async (method, stage) => {
      for (const error of failures) {
        world = new World();
        world.engine.faults.failNext(method, error);
        world.engine.faults.failNext(method, error);
        world.engine.faults.failNext(method, error);
        const seen: string[] = [];
        const made = new World({
          onStored: ({ object }) => {
            if (object.kind !== 'Sandbox' || !object.status) return;
            const { failure, conditions } = object.status as SandboxStatus;
            const ready = conditions.find(({ type }) => type === 'Ready');
            if (failure) seen.push(`${failure.stage} ${failure.cause} ${ready?.reason}: ${ready?.message}`);
            if (failure) expect(failure).toMatchObject({ detail: 'the disk is full\nand more' });
          },
        });
        await world.close();
        for (let n = 0; n < 3; n += 1) made.engine.faults.failNext(method, error);
        await begin(SANDBOX, made);
        await world.settle(60_000);
        const { cause } = error.failure;
        expect(new Set(seen)).toEqual(
          new Set([
            expect.stringMatching(new RegExp(`^${stage} ${cause} ${cause}: The sandbox failed while .+\\. .+\\.$`)),
          ]),
        );
        expect(world.said('Sandbox', 'main')).toBe('True Ready');
        expect(world.containers()).toHaveLength(1);
        await world.close();
      }
    },
    40_000,
  );

  it.each(['containers.stop', 'containers.remove'] as const)(
    '(%s) in a restart leaves it to the next try',
    async (method) => {
      await begin();
      world.write('main.yaml', manifest('Sandbox', 'main', 'projects: [web], keepRunning: true'));
      await world.settle(500);
      world.engine.faults.failNext(method, imageNotFound('x', 'busy'));
      world.restart('Sandbox', 'main');
      await world.settle(3_000);
      expect(world.containers().map(({ running, spec }) => [running, spec.restart])).toEqual([
        [true, 'unless-stopped'],
      ]);
      expect(world.said('Sandbox', 'main')).toBe('True Ready');
    },
  );

  it('to look whether an image is there is never taken for its absence', async () => {
    await begin();
    world.engine.faults.failNext(
      'images.find',
      new RuntimeError({ code: 'Timeout', failure: { cause: 'Timeout', slots: {} }, detail: 'slow' }),
    );
    world.controller.manager.resync();
    await world.settle(100);
    expect(world.said('Sandbox', 'main')).toBe('False Timeout');
    await world.settle(2_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers()[0]?.starts).toBe(1);
  });
});
