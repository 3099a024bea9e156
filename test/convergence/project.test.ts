import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ProjectStatus } from '../../crds/project';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { World } from '../helpers/world';

const SANDBOX = manifest('Sandbox', 'main', 'projects: [web]');

describe('a project', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
    world.write('others.yaml', BALLAST);
  });

  afterEach(async () => {
    await world.close();
  });

  async function begin(path: string): Promise<void> {
    world.write('main.yaml', manifest('Project', 'web', `path: "${path}"`) + SANDBOX);
    await world.start();
    await world.settle(1_000);
  }

  const mounts = (): string[] =>
    world
      .containers()
      .flatMap(({ spec }) => spec.mounts.filter(({ role }) => role === 'workspace'))
      .map(({ source, target, readOnly }) => {
        const at = source === target ? '' : ` at ${target}`;
        return `${source.replace(world.root, '')}${at}${readOnly ? ' read-only' : ''}`;
      });

  it('that is missing is waited for, and used as soon as it is there', async () => {
    await begin('../../web');
    expect(world.said('Project', 'web')).toBe('False PathMissing');
    expect(world.said('Sandbox', 'main')).toBe('False ProjectNotUsable');
    expect(world.containers()).toEqual([]);
    world.directory('web');
    await world.settle(3_000);
    expect(world.said('Project', 'web')).toBe('True Usable');
    expect(mounts()).toEqual(['/web']);
  });

  it('that goes away does not stop what runs, and heals', async () => {
    world.directory('web');
    await begin('../../web');
    const [container] = world.containers();
    rmSync(join(world.root, 'web'), { recursive: true });
    await world.settle(32_000);
    expect(world.said('Project', 'web')).toBe('False PathMissing');
    expect(world.object<unknown, ProjectStatus>('Project', 'web').status?.path).toBeUndefined();
    expect(world.containers()).toEqual([container]);
    expect(container).toMatchObject({ running: true, starts: 1 });
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    world.directory('web');
    await world.settle(3_000);
    expect(world.said('Project', 'web')).toBe('True Usable');
    expect(container).toMatchObject({ running: true, starts: 1 });
  });

  it('is seen through links as what it really is', async () => {
    world.directory('real');
    symlinkSync(join(world.root, 'real'), join(world.root, 'web'));
    await begin('../../web');
    expect(mounts()).toEqual(['/real']);
  });

  it('that became a link to something else since it was accepted is not mounted', async () => {
    world.directory('web');
    const secret = world.directory('secret');
    world.write(
      'main.yaml',
      manifest('Project', 'web', 'path: ../../web') + manifest('Sandbox', 'main', 'projects: [web], state: Stopped'),
    );
    await world.start();
    await world.settle(500);
    rmSync(join(world.root, 'web'), { recursive: true });
    symlinkSync(secret, join(world.root, 'web'));
    world.write('main.yaml', manifest('Project', 'web', 'path: ../../web') + SANDBOX);
    await world.settle(200);
    expect(mounts()).not.toContain('/web');
  });

  it('that holds the socket which the settings name is not mounted', async () => {
    world.directory('engine-of-mine');
    world.addEngine('Podman');
    const endpoint = `unix://${world.root}/engine-of-mine/podman.sock`;
    world.write('settings.yaml', manifest('Settings', 'default', `runtime: { kind: Podman, endpoint: "${endpoint}" }`));
    world.write('main.yaml', manifest('Project', 'web', 'path: ../../engine-of-mine') + SANDBOX);
    await world.start();
    await world.settle(5_000);
    expect(world.said('Project', 'web')).toBe('False HoldsEngineSocket');
    expect(world.others.get('Podman')?.containers.size).toBe(0);
  });

  const refused: readonly (readonly [string, string, (root: string) => string])[] = [
    ['is a file', 'False NotADirectory', (root) => (writeFileSync(join(root, 'file'), ''), '../../file')],
    ['is the home directory', 'False HoldsHome', () => '~'],
    [
      'is the home directory behind a link',
      'False HoldsHome',
      (root) => (symlinkSync(root, join(root, 'me')), '../../me'),
    ],
    ['is the root', 'False HoldsRoot', () => '/'],
    ['holds the home directory', 'False HoldsHome', (root) => join(root, '..')],
    ['holds the manifests', 'False HoldsManifests', () => '..'],
    ['is the manifest directory', 'False HoldsManifests', () => '.'],
    [
      'lies in the manifest directory',
      'False HoldsManifests',
      (root) => (mkdirSync(join(root, 'berth/manifests/in')), 'in'),
    ],
    [
      'lies in the manifest directory, behind a link',
      'False HoldsManifests',
      (root) => {
        mkdirSync(join(root, 'berth/manifests/in'));
        symlinkSync(join(root, 'berth/manifests/in'), join(root, 'out'));
        return '../../out';
      },
    ],
    [
      'holds a file that a manifest is a link to',
      'False HoldsManifests',
      (root) => {
        mkdirSync(join(root, 'dotfiles'));
        writeFileSync(join(root, 'dotfiles/more.yaml'), manifest('SandboxTemplate', 'more'));
        symlinkSync(join(root, 'dotfiles/more.yaml'), join(root, 'berth/manifests/more.yaml'));
        return '../../dotfiles';
      },
    ],
    [
      'is a directory that the manifests link to',
      'False HoldsManifests',
      (root) => {
        mkdirSync(join(root, 'team'));
        symlinkSync(join(root, 'team'), join(root, 'berth/manifests/team'));
        return '../../team';
      },
    ],
    ['holds the state', 'False HoldsState', () => '../state'],
    [
      'lies in the homes of sandboxes',
      'False HoldsState',
      (root) => (mkdirSync(join(root, 'berth/data/sandboxes'), { recursive: true }), '../data/sandboxes'),
    ],
    [
      'holds the socket of an engine',
      'False HoldsEngineSocket',
      (root) => (mkdirSync(join(root, 'engine')), '../../engine'),
    ],
  ];

  it.each(refused)('that %s is refused, and nothing is made with it (%s)', async (_, said, lay) => {
    await begin(lay(world.root));
    expect(world.said('Project', 'web')).toBe(said);
    expect(world.object<unknown, ProjectStatus>('Project', 'web').status?.path).toBeUndefined();
    expect(world.said('Sandbox', 'main')).toBe('False ProjectNotUsable');
    expect(world.containers()).toEqual([]);
  });

  it('is told by a socket that is open as well as by one that is not there yet', async () => {
    const directory = world.directory('engine');
    const server = createServer().listen(join(directory, 'docker.sock'));
    await begin('../../engine');
    server.close();
    expect(world.said('Project', 'web')).toBe('False HoldsEngineSocket');
  });

  it.each([
    ['the outer alone when one lies in the other', 'path: ../../a', 'path: ../../a/b', 'SamePath', ['/a']],
    ['both when neither lies in the other', 'path: ../../a', 'path: ../../c', 'SamePath', ['/a', '/c']],
    [
      'both when the outer is read-only',
      'path: ../../a, access: ReadOnly',
      'path: ../../a/b',
      'SamePath',
      ['/a read-only', '/a/b'],
    ],
  ])('is mounted with another: %s', async (...row) => {
    const [, first, second, mountPath, expected] = row;
    for (const name of ['a/b', 'c']) world.directory(name);
    world.write(
      'main.yaml',
      manifest('Project', 'one', first) +
        manifest('Project', 'two', second) +
        manifest('Sandbox', 'main', `projects: [one, two], mountPath: ${mountPath}`),
    );
    await world.start();
    await world.settle(1_000);
    expect(mounts()).toEqual(expected);
    expect(world.said('Sandbox', 'main', 'WorkspaceReady')).toBe('True Mounted');
    expect(world.object<unknown, { projects: string[] }>('Sandbox', 'main').status?.projects).toEqual(['one', 'two']);
  });

  it.each([
    ['read-only inside writable', 'path: ../../a', 'path: ../../a/b, access: ReadOnly', 'SamePath', ['one', 'two']],
    ['two at one place', 'path: ../../a', 'path: ../../c', '/workspace', ['one', 'two', '/workspace']],
    ['one path twice', 'path: ../../a', 'path: ../../a', 'SamePath', ['one', 'two']],
  ])('is refused with another, naming both: %s', async (...row) => {
    const [, first, second, mountPath, words] = row;
    for (const name of ['a/b', 'c']) world.directory(name);
    world.write(
      'main.yaml',
      manifest('Project', 'one', first) +
        manifest('Project', 'two', second) +
        manifest('Sandbox', 'main', `projects: [one, two], mountPath: ${mountPath}`),
    );
    await world.start();
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main')).toBe('False ProjectNotUsable');
    for (const word of words) expect(world.condition('Sandbox', 'main', 'Ready')?.message).toContain(word);
    expect(world.containers()).toEqual([]);
  });

  it('is picked up by label as it comes and goes, at the next restart', async () => {
    world.directory('a');
    world.directory('c');
    const one = manifest('Project', 'one', 'path: ../../a', 'labels: { team: shop }');
    const two = manifest('Project', 'two', 'path: ../../c', 'labels: { team: shop }');
    const sandbox = manifest('Sandbox', 'main', 'projectSelector: { matchLabels: { team: shop } }');
    world.write('main.yaml', one + sandbox);
    await world.start();
    await world.settle(1_000);
    expect(mounts()).toEqual(['/a']);
    world.write('main.yaml', one + two + sandbox);
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('False MountsChanged');
    expect(world.said('Sandbox', 'main', 'WorkspaceReady')).toBe('False ProjectNotMounted');
    expect(mounts()).toEqual(['/a']);
    world.restart('Sandbox', 'main');
    await world.settle(1_000);
    expect(mounts()).toEqual(['/a', '/c']);
  });
});

describe('a project whose directory is replaced under a running sandbox', () => {
  it('is said not to be mounted, and is mounted by a restart', async () => {
    const world = new World();
    const path = world.directory('web');
    world.write('others.yaml', BALLAST);
    world.write(
      'main.yaml',
      manifest('Project', 'web', 'path: ../../web') + manifest('Sandbox', 'main', 'projects: [web]'),
    );
    await world.start();
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'WorkspaceReady')).toBe('True Mounted');
    renameSync(path, `${path}-old`);
    mkdirSync(path);
    await world.settle(12_000);
    expect(world.said('Sandbox', 'main', 'WorkspaceReady')).toBe('False ProjectNotMounted');
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('False MountsChanged');
    expect(world.containers().map(({ starts }) => starts)).toEqual([1]);
    world.restart('Sandbox', 'main');
    await world.settle(1_000);
    expect(world.said('Sandbox', 'main', 'WorkspaceReady')).toBe('True Mounted');
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('True UpToDate');
    await world.close();
  });
});
