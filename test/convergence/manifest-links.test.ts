import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { World } from '../helpers/world';

const TEMPLATE = manifest('SandboxTemplate', 'more');
const DECLARED = manifest('Project', 'web', 'path: ../../web') + manifest('Sandbox', 'main', 'projects: [web]');

/** Whoever can write where a manifest really lies, or beside a link that leads there, decides what is mounted next. */
describe('manifests behind links', () => {
  let world: World;
  let web: string;
  let dotfiles: string;

  beforeEach(() => {
    world = new World();
    web = world.directory('web');
    dotfiles = world.directory('dotfiles');
    writeFileSync(join(dotfiles, 'more.yaml'), TEMPLATE);
    world.write('others.yaml', BALLAST);
    world.write('main.yaml', DECLARED);
  });

  afterEach(async () => {
    await world.close();
  });

  const link = (name: string, target: string): void => {
    symlinkSync(target, join(world.manifests, name));
  };

  async function begin(): Promise<void> {
    await world.start();
    await world.settle(1_000);
  }

  const ways: readonly (readonly [string, () => void])[] = [
    [
      'holds a link on the way to a manifest',
      () => {
        symlinkSync(join(dotfiles, 'more.yaml'), join(web, 'hop.yaml'));
        link('more.yaml', join(web, 'hop.yaml'));
      },
    ],
    [
      'holds a link on the way to a directory of manifests',
      () => {
        symlinkSync(dotfiles, join(web, 'hop'));
        link('team', join(web, 'hop'));
      },
    ],
    [
      'holds a link below a linked directory',
      () => {
        writeFileSync(join(web, 'far.yaml'), TEMPLATE);
        symlinkSync(join(web, 'far.yaml'), join(dotfiles, 'far.yaml'));
        link('team', dotfiles);
      },
    ],
    [
      'would hold what a link leads to that is not there yet',
      () => {
        link('later.yaml', join(web, 'later/x.yaml'));
      },
    ],
    [
      'holds what could become a directory of manifests',
      () => {
        writeFileSync(join(web, 'notes'), 'no manifest');
        link('notes', join(web, 'notes'));
      },
    ],
    [
      'holds a link on the way to the manifest directory itself',
      () => {
        renameSync(world.manifests, join(dotfiles, 'manifests'));
        symlinkSync(dotfiles, join(web, 'hop'));
        symlinkSync(join(web, 'hop/manifests'), world.manifests);
        writeFileSync(join(dotfiles, 'manifests/main.yaml'), DECLARED.replace('../../web', web));
      },
    ],
  ];

  it.each(ways)('refuses a project that %s', async (_, make) => {
    make();
    await begin();
    expect(world.said('Project', 'web')).toBe('False HoldsManifests');
    expect(world.containers()).toEqual([]);
  });

  it('remembers where manifests lie while their directory can’t be read, and after a start', async () => {
    link('team', web);
    await begin();
    expect(world.said('Project', 'web')).toBe('False HoldsManifests');
    renameSync(world.manifests, `${world.manifests}-away`);
    await world.settle(20_000);
    expect(world.said('Project', 'web')).toBe('False HoldsManifests');
    await world.crash();
    await world.settle(20_000);
    expect(world.said('Project', 'web')).toBe('False HoldsManifests');
    rmSync(world.manifests, { recursive: true, force: true });
    renameSync(`${world.manifests}-away`, world.manifests);
    rmSync(join(world.manifests, 'team'));
    await world.settle(20_000);
    expect(world.said('Project', 'web')).toBe('True Usable');
  });

  it('takes no manifest from a directory that a running sandbox may write, and says what is mounted there', async () => {
    await begin();
    expect(world.said('Sandbox', 'main', 'Isolated')).toBe('True Isolated');
    writeFileSync(join(web, 'planted.yaml'), manifest('Project', 'keys', 'path: ../../keys'));
    link('planted.yaml', join(web, 'planted.yaml'));
    await world.settle(12_000);
    expect(world.controller.store.get({ kind: 'Project', name: 'keys' })).toBeUndefined();
    const [problem] = world.controller.store.problems();
    expect(problem?.message).toContain('a mount of sandbox main');
    expect(world.said('Project', 'web')).toBe('False HoldsManifests');
    expect(world.said('Sandbox', 'main', 'Isolated')).toBe('False ForbiddenMount');
    expect(world.condition('Sandbox', 'main', 'Isolated')?.message).toContain(web);
    expect(world.containers()[0]).toMatchObject({ running: true });
    world.write('main.yaml', DECLARED.replace('projects: [web]', ''));
    world.restart('Sandbox', 'main');
    await world.settle(12_000);
    expect(world.said('Sandbox', 'main', 'Isolated')).toBe('True Isolated');
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    world.write('main.yaml', '');
    await world.settle(30_000);
    expect(world.containers()).toEqual([]);
    expect(world.controller.store.get({ kind: 'Project', name: 'keys' })).toBeUndefined();
    expect(world.controller.store.problems()[0]?.message).toContain('move it elsewhere');
    mkdirSync(join(dotfiles, 'safe'));
    writeFileSync(join(dotfiles, 'safe/planted.yaml'), manifest('Project', 'keys', 'path: ../../keys'));
    rmSync(join(world.manifests, 'planted.yaml'));
    link('planted.yaml', join(dotfiles, 'safe/planted.yaml'));
    await world.settle(10_000);
    expect(world.object('Project', 'keys').metadata.name).toBe('keys');
  });

  it('takes no manifest from the home of a sandbox, where agents write, now or once it is set aside', async () => {
    link('cfg', join(world.root, 'berth/data/sandboxes/main/home/cfg'));
    link('kept', join(world.root, 'berth/data/set-aside/sandboxes/main/home/cfg'));
    await begin();
    const cfg = join(world.root, 'berth/data/sandboxes/main/home/cfg');
    mkdirSync(cfg);
    writeFileSync(join(cfg, 'evil.yaml'), manifest('Project', 'evil', 'path: ../../web'));
    await world.settle(10_000);
    expect(world.controller.store.get({ kind: 'Project', name: 'evil' })).toBeUndefined();
    world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    world.write('main.yaml', '');
    await world.settle(30_000);
    await world.crash();
    await world.settle(10_000);
    expect(world.controller.store.get({ kind: 'Project', name: 'evil' })).toBeUndefined();
  });

  it('leaves what a file last declared in force when it comes to lie in such a directory', async () => {
    link('more.yaml', join(dotfiles, 'more.yaml'));
    await begin();
    writeFileSync(join(web, 'more.yaml'), TEMPLATE.replace('spec: {', 'spec: { state: Stopped,'));
    rmSync(join(world.manifests, 'more.yaml'));
    link('more.yaml', join(web, 'more.yaml'));
    await world.settle(12_000);
    expect(world.object('SandboxTemplate', 'more').spec).not.toHaveProperty('state');
    expect(world.said('SandboxTemplate', 'more', 'Accepted')).toBe('False ManifestExposed');
  });
});
