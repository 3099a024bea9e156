import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { World } from '../helpers/world';

/** What an agent does from inside to get at a directory of the person's that no sandbox was given. */
describe('a project that a session swaps for a link', () => {
  let world: World;
  let secret: string;

  beforeEach(() => {
    world = new World();
    secret = world.directory('keys');
    mkdirSync(world.directory('x') + '/pkg');
  });

  afterEach(async () => {
    await world.close();
  });

  const sources = (): string[] => world.containers().flatMap(({ spec }) => spec.mounts.map(({ source }) => source));
  const swap = (): void => {
    rmSync(join(world.root, 'x/pkg'), { recursive: true });
    symlinkSync(secret, join(world.root, 'x/pkg'));
  };

  async function begin(text: string): Promise<void> {
    world.write('others.yaml', BALLAST);
    const projects = manifest('Project', 'x', 'path: ../../x') + manifest('Project', 'pkg', 'path: ../../x/pkg');
    world.write('main.yaml', projects + text);
    await world.start();
    await world.settle(1_000);
  }

  it('is refused, and its sandbox is not started again on what the link leads to', async () => {
    await begin(manifest('Sandbox', 'main', 'projects: [x, pkg]'));
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    swap();
    await world.settle(12_000);
    expect(world.said('Project', 'pkg')).toBe('False PathForbidden');
    world.engine.exit(world.containers()[0]!.id);
    await world.settle(40_000);
    world.restart('Sandbox', 'main');
    await world.settle(5_000);
    expect(sources()).not.toContain(secret);
    expect(world.said('Sandbox', 'main')).toBe('False ProjectNotUsable');
    rmSync(join(world.root, 'x/pkg'));
    mkdirSync(join(world.root, 'x/pkg'));
    await world.settle(20_000);
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('is never mounted by another sandbox than one that has the directory above it', async () => {
    await begin(manifest('Sandbox', 'above', 'projects: [x]') + manifest('Sandbox', 'below', 'projects: [pkg]'));
    expect(world.said('Sandbox', 'above')).toBe('True Ready');
    expect(world.said('Sandbox', 'below')).toBe('False ProjectNotUsable');
    expect(world.condition('Sandbox', 'below', 'Ready')?.message).toContain('which sessions may write');
    expect(sources()).not.toContain(join(world.root, 'x/pkg'));
  });

  it('is never mounted at the same time as the directory above it, whichever was first', async () => {
    const pkg = manifest('Project', 'pkg', 'path: ../../x/pkg');
    const below = manifest('Sandbox', 'below', 'projects: [pkg], keepRunning: true');
    world.write('others.yaml', BALLAST);
    world.write('main.yaml', pkg + below);
    await world.start();
    await world.settle(1_000);
    expect(world.said('Sandbox', 'below')).toBe('True Ready');
    const x = manifest('Project', 'x', 'path: ../../x');
    world.write('above.yaml', x + manifest('Sandbox', 'above', 'projects: [x]'));
    await world.settle(12_000);
    expect(world.said('Sandbox', 'above')).toBe('False MountRejected');
    expect(world.condition('Sandbox', 'above', 'Ready')?.message).toContain('sandbox below has mounted');
    expect(sources()).not.toContain(join(world.root, 'x'));
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'below' });
    await world.settle(120_000, 100);
    expect(world.said('Sandbox', 'above')).toBe('True Ready');
  });

  it('is known under another name of the directory above it as well', async () => {
    await begin(manifest('Sandbox', 'above', 'projects: [x]'));
    renameSync(join(world.root, 'x'), join(world.root, 'y'));
    world.write(
      'below.yaml',
      manifest('Project', 'inner', 'path: ../../y/pkg') + manifest('Sandbox', 'below', 'projects: [inner]'),
    );
    world.write('linked.yaml', '');
    rmSync(join(world.manifests, 'linked.yaml'));
    writeFileSync(join(world.root, 'y/evil.yaml'), manifest('Project', 'evil', 'path: ../../keys'));
    symlinkSync(join(world.root, 'y/evil.yaml'), join(world.manifests, 'linked.yaml'));
    await world.settle(15_000);
    expect(world.said('Sandbox', 'below')).toBe('False MountRejected');
    expect(sources()).not.toContain(join(world.root, 'y/pkg'));
    expect(world.controller.store.get({ kind: 'Project', name: 'evil' })).toBeUndefined();
  });

  it('is free again when the container above was removed by hand', async () => {
    await begin(manifest('Sandbox', 'above', 'projects: [x]'));
    const pkg = manifest('Project', 'pkg', 'path: ../../x/pkg');
    world.write('main.yaml', pkg + manifest('Sandbox', 'above', 'projects: [gone]'));
    await world.settle(5_000);
    world.engine.disappear(world.containers()[0]!.id);
    await world.settle(20_000);
    expect(world.said('Sandbox', 'above')).toBe('False ReferenceNotFound');
    world.write('below.yaml', manifest('Sandbox', 'below', 'projects: [pkg]'));
    await world.settle(20_000);
    expect(world.said('Sandbox', 'below')).toBe('True Ready');
  });

  it('is never mounted beside it when everything is declared at once', async () => {
    world.write('others.yaml', BALLAST);
    const names = ['a', 'b', 'c', 'd'];
    const projects = manifest('Project', 'x', 'path: ../../x') + manifest('Project', 'pkg', 'path: ../../x/pkg');
    const sandboxes = names.map((name, n) => manifest('Sandbox', name, `projects: [${n % 2 ? 'x' : 'pkg'}]`));
    world.write('main.yaml', sandboxes.join('') + projects);
    await world.start();
    await world.settle(20_000);
    expect(new Set(sources().filter((path) => path.startsWith(join(world.root, 'x'))))).toEqual(
      new Set([join(world.root, 'x')]),
    );
  });

  it('is refused as well when the directory above it is declared no more but still mounted', async () => {
    await begin(manifest('Sandbox', 'above', 'projects: [x]'));
    const pkg = manifest('Project', 'pkg', 'path: ../../x/pkg');
    swap();
    world.write('main.yaml', pkg + manifest('Sandbox', 'above', '') + manifest('Sandbox', 'below', 'projects: [pkg]'));
    await world.settle(8_000);
    expect(sources()).not.toContain(secret);
    expect(world.said('Project', 'pkg')).toBe('False PathForbidden');
  });

  it('is refused long after sessions could write there', async () => {
    await begin(manifest('Sandbox', 'main', 'projects: [x]'));
    swap();
    const pkg = manifest('Project', 'pkg', 'path: ../../x/pkg');
    world.write('main.yaml', pkg + manifest('Sandbox', 'main', 'projects: [pkg]'));
    await world.settle(8_000);
    world.restart('Sandbox', 'main');
    await world.settle(8_000);
    expect(world.controller.store.get({ kind: 'Project', name: 'x' })).toBeUndefined();
    expect(world.said('Project', 'pkg')).toBe('False PathForbidden');
    expect(sources()).not.toContain(secret);
    world.write('main.yaml', pkg + manifest('Sandbox', 'main', ''));
    world.restart('Sandbox', 'main');
    await world.settle(8_000);
    await world.crash();
    world.write('main.yaml', pkg + manifest('Sandbox', 'main', 'projects: [pkg]'));
    world.restart('Sandbox', 'main');
    await world.settle(20_000);
    expect(world.said('Project', 'pkg')).toBe('False PathForbidden');
    expect(sources()).not.toContain(secret);
  });

  it('is followed where only the person can turn the link', async () => {
    const link = join(world.root, 'link');
    symlinkSync(join(world.root, 'x'), link);
    world.write('others.yaml', BALLAST);
    world.write(
      'main.yaml',
      manifest('Project', 'x', 'path: ../../link') + manifest('Sandbox', 'main', 'projects: [x]'),
    );
    await world.start();
    await world.settle(1_000);
    expect(sources()).toContain(join(world.root, 'x'));
    renameSync(link, `${link}-old`);
    await world.settle(12_000);
    expect(world.said('Project', 'x')).toBe('False PathMissing');
  });
});
