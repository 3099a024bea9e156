import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { document } from '../helpers/e2e-machine';
import { run, type Ran } from '../helpers/e2e-person';
import { eventually } from '../helpers/engine';
import { endpointOf } from '../helpers/engine-real';

jest.setTimeout(180_000);

const ROOT = join(__dirname, '../..');
const NOT_OF_A_CHECKOUT = new Set(['node_modules', 'dist', '.git', 'coverage']);

/** A checkout of one's own with a home directory of its own, for whoever runs the tests. */
class Checkout {
  readonly root = mkdtempSync(join(tmpdir(), 'berth-quickstart-'));
  readonly home = join(this.root, 'home');
  readonly manifests = join(this.home, '.config/berth/manifests');
  readonly #source = join(this.root, 'source');

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.#source);
    for (const name of readdirSync(ROOT).filter((entry) => !NOT_OF_A_CHECKOUT.has(entry)))
      cpSync(join(ROOT, name), join(this.#source, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#source, 'node_modules'));
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.home };
  }

  make(target: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return run(['make', '-C', this.#source, target], { env: { ...this.env, ...env } });
  }

  ctl(...args: string[]): Promise<Ran> {
    return run([join(this.#source, 'dist/ctl'), ...args], { env: this.env });
  }

  async close(): Promise<void> {
    if (existsSync(join(this.#source, 'dist/ctl'))) await this.make('down');
    execFileSync('rm', ['-rf', this.root]);
  }
}

async function containersIn(directory: string): Promise<readonly string[]> {
  const docker = ['docker', '--host', endpointOf('docker') ?? ''];
  const format = '{{.Names}} {{.Mounts}}';
  const list = [...docker, 'ps', '--all', '--no-trunc', '--filter', 'label=dev.berth.owner=berth', '--format', format];
  const { stdout } = await run(list, { env: process.env });
  return stdout.split('\n').filter((line) => line.includes(`${directory}/`));
}

describe('the quick start', () => {
  if (endpointOf('docker') === undefined) {
    it('is allowed to be without Docker here', () => {
      expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
    });
    return;
  }
  let checkout: Checkout;
  beforeEach(() => {
    checkout = new Checkout();
  });
  afterEach(() => checkout.close());

  it('is up with one command, however often, and down with another', async () => {
    const up = await checkout.make('up');
    expect(up).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/session\S*\/shell .* Running +True/) as string,
    });
    expect(up.stdout).toMatch(/sandbox\S*\/main .* Ready +True/);
    expect(await containersIn(checkout.home)).toHaveLength(1);
    expect(await checkout.make('up')).toMatchObject({ code: 0 });
    expect(await containersIn(checkout.home)).toHaveLength(1);

    expect(await checkout.make('down')).toMatchObject({ code: 0 });
    expect(await containersIn(checkout.home)).toEqual([]);
    expect(readdirSync(checkout.manifests)).toEqual([]);
    expect(existsSync(join(checkout.home, 'berth-quickstart'))).toBe(false);
    expect((await checkout.ctl('controller', 'status')).code).toBe(1);
    expect(await checkout.make('down')).toMatchObject({ code: 0 });
  });

  it('leaves alone what a person wrote', async () => {
    expect(await checkout.make('up')).toMatchObject({ code: 0 });
    const mine = document('Project', 'mine', `spec: {path: "${checkout.home}/berth-quickstart"}`);
    writeFileSync(join(checkout.manifests, 'mine.yaml'), mine);
    appendFileSync(join(checkout.manifests, 'settings.yaml'), '# mine too\n');
    appendFileSync(join(checkout.manifests, 'sandbox.yaml'), '# changed\n');
    writeFileSync(join(checkout.home, 'berth-quickstart/work'), '');
    const down = await checkout.make('down');
    expect(down).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.yaml was changed') as string });
    expect(await containersIn(checkout.home)).toEqual([]);
    expect(readdirSync(checkout.manifests).sort()).toEqual(['mine.yaml', 'settings.yaml']);
    const kept = readdirSync(join(checkout.manifests, '../quickstart-changed'));
    expect(kept).toEqual([expect.stringMatching(/-sandbox\.yaml$/)]);
    expect(readdirSync(join(checkout.home, 'berth-quickstart'))).toEqual(['work']);

    expect(await checkout.make('up')).toMatchObject({ code: 0 });
    expect(readdirSync(checkout.manifests).sort()).toEqual(['mine.yaml', 'settings.yaml']);
    expect((await checkout.ctl('get', 'proj', '-o', 'name')).stdout).toBe('project.berth.dev/mine\n');
  });

  it('is up again after its sandbox was deleted by hand', async () => {
    expect(await checkout.make('up')).toMatchObject({ code: 0 });
    for (const name of ['sandbox', 'session']) rmSync(join(checkout.manifests, `${name}.yaml`));
    expect(await checkout.ctl('delete', 'session/shell', 'sandbox/main', '--yes')).toMatchObject({ code: 0 });
    const again = await checkout.make('up');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('is not waited for') as string });
    expect(await checkout.make('down')).toMatchObject({ code: 0 });
    expect(await containersIn(checkout.home)).toEqual([]);
  });

  it('leaves a sandbox of a person’s own running that has the name of its own one', async () => {
    expect(await checkout.make('up')).toMatchObject({ code: 0 });
    for (const name of ['sandbox', 'session']) rmSync(join(checkout.manifests, `${name}.yaml`));
    expect(await checkout.ctl('delete', 'session/shell', 'sandbox/main', '--yes')).toMatchObject({ code: 0 });
    const mine = join(checkout.manifests, 'mine.yaml');
    mkdirSync(join(checkout.home, 'mine'));
    const project = document('Project', 'mine', `spec: {path: "${checkout.home}/mine"}`);
    writeFileSync(mine, `${project}---\n${document('Sandbox', 'main', 'spec: {projects: [mine]}')}`);
    await eventually('it runs', async () => {
      const { stdout } = await checkout.ctl('get', 'sandbox', 'main');
      return stdout.includes('Ready');
    });
    expect(await checkout.make('down')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('settings.yaml stays') as string,
    });
    expect(readdirSync(checkout.manifests).sort()).toEqual(['mine.yaml', 'settings.yaml']);
    expect(await containersIn(checkout.home)).toHaveLength(1);
    rmSync(mine);
    await checkout.ctl('controller', 'start');
    expect(await checkout.ctl('delete', 'sandbox/main', '--yes')).toMatchObject({ code: 0 });
    await checkout.ctl('controller', 'stop');
  });

  it('is undone in each home that it was set up in', async () => {
    const homes = ['one', 'two'].map((name) => ({ BERTH_HOME: join(checkout.home, name) }));
    for (const home of homes) expect(await checkout.make('up', home)).toMatchObject({ code: 0 });
    expect(await containersIn(checkout.home)).toHaveLength(2);
    expect(await checkout.make('down', homes[0])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('still up') as string,
    });
    expect(await containersIn(checkout.home)).toEqual([expect.stringContaining('/two/')]);
    expect(await checkout.make('down')).toMatchObject({ code: 0 });
    expect(await containersIn(checkout.home)).toEqual([]);
  });

  it('neither starts nor stops a controller that ran before', async () => {
    expect(await checkout.make('up')).toMatchObject({ code: 0 });
    expect(await checkout.make('down')).toMatchObject({ code: 0 });
    await checkout.ctl('controller', 'start');
    const before = (await checkout.ctl('controller', 'status')).stdout;
    expect(await checkout.make('up')).toMatchObject({ code: 0 });
    expect(await checkout.make('down')).toMatchObject({ code: 0 });
    const pid = /PID: +\d+/;
    expect(pid.exec((await checkout.ctl('controller', 'status')).stdout)?.[0]).toBe(pid.exec(before)?.[0]);
    await checkout.ctl('controller', 'stop');
  });
});
