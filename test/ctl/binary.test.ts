import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { conditions } from '../helpers/memory-store';
import { CtlHarness, type Ran } from './harness';

const ROOT = path.join(__dirname, '..', '..');

let dist: string;
let ctl: CtlHarness;

beforeAll(async () => {
  dist = mkdtempSync(path.join(os.tmpdir(), 'berth-dist-'));
  await promisify(execFile)(process.execPath, [path.join(ROOT, 'scripts', 'build.mjs'), '--out', dist, 'ctl']);
  const standIn = pathToFileURL(path.join(__dirname, 'fixtures', 'controller.mjs')).href;
  writeFileSync(path.join(dist, 'controller.cjs'), `import(${JSON.stringify(standIn)});`);
});
afterAll(() => {
  rmSync(dist, { recursive: true, force: true });
});
beforeEach(() => {
  ctl = new CtlHarness();
  // What a restart asks for is told by the clock of the process.
  ctl.clock.advance(Date.now() - ctl.clock.now());
});
afterEach(async () => {
  await ctl.close();
});

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], BERTH_HOME: ctl.home.root };
}

async function run(line: string, shell = '"$0" '): Promise<Ran> {
  const child = spawn('/bin/sh', ['-c', `${shell}${line}`, path.join(dist, 'ctl')], { env: environment() });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const code = await new Promise<number>((resolve) => {
    child.on('close', (status) => {
      resolve(status ?? -1);
    });
  });
  return { code, ...text };
}

describe('the built ctl', () => {
  it('is a thin program with the rest in files beside it', () => {
    expect(readdirSync(dist).sort()).toEqual(['controller.cjs', 'ctl', 'ctl-cli.cjs', 'ctl-get.cjs', 'ctl-yaml.cjs']);
    expect(statSync(path.join(dist, 'ctl')).size).toBeLessThan(40 * 1024);
  });

  it('reads from the socket of its home', async () => {
    await ctl.serve();
    ctl.store.put('Sandbox', 'main', { status: conditions({ Ready: 'True Ready' }) });
    const { code, stdout, stderr } = await run('get sb --no-headers');
    expect(stdout).toMatch(/^main +<none> +Ready +True /);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await run('get sb main -o yaml')).stdout).toMatch(/^apiVersion: berth.dev\/v1alpha1\nkind: Sandbox\n/);
    expect((await run('get sb main -o json')).stdout).toMatch(/^\{\n {4}"apiVersion"/);
  });

  it('prints each warning once, however many requests met it', async () => {
    await ctl.serve();
    const place = { path: '/m/a.yaml', line: 7, column: 3 };
    ctl.store.setProblems([{ ...place, reason: 'InvalidYaml', message: 'bad "value"' }]);
    expect((await run('get all')).stderr).toBe('Warning: /m/a.yaml:7:3: bad "value"\nNo resources found\n');
  });

  it.each(['sandboxes', 'sb main', 'sb nope', 'pods', 'all', 'projects'])(
    'takes the fast way for "get %s" to the same end',
    async (words) => {
      await ctl.serve();
      ctl.store.put('Sandbox', 'main');
      expect(await run(`get ${words}`)).toEqual(await ctl.run(`get ${words}`));
    },
  );

  it('fails with its exit code and message', async () => {
    const { code, stderr } = await run('get sb');
    expect(stderr).toContain(`nothing answers at ${ctl.home.socket}`);
    expect(code).toBe(1);
  });

  it.each([
    'get all',
    'get sb -w',
    'get sb -o json',
    'get sb main -o yaml',
    'get sb -o name',
    'get sb -w -o yaml',
    'describe sb main',
    'restart sb main',
    'delete sb main',
    'api-resources',
    'version',
    '--help',
    'get --help',
    'controller status',
  ])('says in a line that the output of "%s" can’t be written', async (words) => {
    await ctl.serve();
    ctl.store.put('Sandbox', 'main');
    expect(await run(`${words} >/dev/full`)).toEqual({
      code: 1,
      stdout: '',
      stderr: "error: can't write the output: no space left on device\n",
    });
  });

  it('does what was asked for when there is nobody to tell what went wrong', async () => {
    await ctl.serve();
    ctl.store.put('Sandbox', 'main', { status: conditions({ Ready: 'True Ready' }) });
    for (const nowhere of ['2>/dev/full', '2>&1 >/dev/null | true'])
      expect(await run(`get sb nope ${nowhere}`)).toMatchObject({ stdout: '', stderr: '' });
    expect(await run('delete sandbox main 2>/dev/full')).toMatchObject({ code: 0 });
  });

  it.each(['get projects', 'get projects -o json', 'get projects -o yaml', 'get projects -w', 'describe projects'])(
    'ends "%s" as a signal would, without a word, when its reader has gone',
    async (words) => {
      await ctl.serve();
      for (let index = 0; index < 500; index += 1)
        ctl.store.put('Project', `project-${index}`, { spec: { path: '/x'.repeat(200) } });
      const { stdout, stderr } = await run(`; echo "code $?" >&2; } | head -n 1`, `{ "$0" ${words} `);
      expect(stdout.split('\n')).toHaveLength(2);
      expect(stderr).toBe('code 141\n');
    },
  );

  it('asks nobody when no terminal is there', async () => {
    await ctl.serve();
    ctl.store.put('Sandbox', 'main', { status: conditions({ Ready: 'True Ready' }) });
    const { code, stdout, stderr } = await run('delete sandbox main </dev/null');
    expect(stdout).toBe('sandbox.berth.dev "main" deleted\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'This stops sandbox "main".\n' });
  });

  it('starts the controller beside it, which outlives it', async () => {
    expect((await run('controller start')).stdout).toMatch(/^The controller is running \(pid \d+\)\.\n$/);
    expect((await run('controller status')).code).toBe(0);
    expect((await run('controller stop')).stdout).toContain('has stopped');
    expect((await run('controller status')).code).toBe(1);
  });
});
