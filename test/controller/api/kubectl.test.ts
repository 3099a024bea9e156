import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { conditions } from '../../helpers/memory-store';
import { createHarness, event, type Harness, NOW } from './harness';

const absent = spawnSync('kubectl', ['version', '--client']).error !== undefined;
const mayBeAbsent = process.env['BERTH_TEST_ALLOW_MISSING'] === '1';

let harness: Harness;
let home: string;
let server: string;

beforeAll(() => {
  if (absent && !mayBeAbsent) {
    throw new Error('kubectl is not installed (Debian: kubernetes-client); BERTH_TEST_ALLOW_MISSING=1 goes without it');
  }
});
beforeEach(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'berth-kubectl-'));
  // Older ones (1.20, of Debian 12) warn of a configuration that is not there.
  writeFileSync(path.join(home, 'config'), 'apiVersion: v1\nkind: Config\n');
  harness = createHarness();
  await harness.app.listen({ host: '127.0.0.1', port: 0 });
  server = `http://127.0.0.1:${(harness.app.server.address() as AddressInfo).port}`;
  harness.store.put('Sandbox', 'main', {
    labels: { team: 'shop' },
    spec: { keepRunning: true },
    status: { ...conditions({ Ready: 'True Ready', UpToDate: 'False ImageChanged' }), runtime: { kind: 'Docker' } },
    createdAt: new Date(NOW).toISOString(),
  });
});
afterEach(async () => {
  await harness.app.close();
  rmSync(home, { recursive: true, force: true });
});

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[]): ReturnType<typeof spawn> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, KUBECONFIG: path.join(home, 'config') };
  return spawn('kubectl', ['--server', server, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function kubectl(...args: readonly string[]): Promise<Ran> {
  const child = start(args);
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...text };
}

const given = absent && mayBeAbsent ? describe.skip : describe;

given('kubectl', () => {
  it('gets a table', async () => {
    const { code, stdout } = await kubectl('get', 'sandboxes');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]?.split(/\s{2,}/)).toEqual(['NAME', 'RUNTIME', 'STATUS', 'READY', 'UP-TO-DATE', 'AGE']);
    expect(stdout.split('\n')[1]?.trim().split(/\s+/)).toEqual(['main', 'Docker', 'Ready', 'True', 'False', '0s']);
  });

  it.each(['sb', 'sandbox', 'sandboxes.berth.dev', 'sandbox/main'])('knows the type as %s', async (word) => {
    expect((await kubectl('get', word, '-o', 'name')).stdout).toBe('sandbox.berth.dev/main\n');
  });

  it('gets all types at once', async () => {
    harness.store.put('Session', 'fix-login');
    const { stdout } = await kubectl('get', 'all');
    expect(stdout).toContain('sandbox.berth.dev/main');
    expect(stdout).toContain('session.berth.dev/fix-login');
  });

  it('selects by labels', async () => {
    expect((await kubectl('get', 'sb', '-l', 'team=shop', '-o', 'name')).stdout).toContain('main');
    const none = await kubectl('get', 'sb', '-l', 'team notin (shop)', '-o', 'name');
    expect(none.stdout).toBe('');
  });

  it('gets the whole object', async () => {
    const { stdout } = await kubectl('get', 'sb', 'main', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'Sandbox', spec: { keepRunning: true } });
  });

  it('says what is not found', async () => {
    const { code, stderr } = await kubectl('get', 'sb', 'nope');
    expect(code).toBe(1);
    expect(stderr).toBe('Error from server (NotFound): sandboxes.berth.dev "nope" not found\n');
  });

  it('prints the problems of manifests as warnings', async () => {
    const place = { path: '/m/größe.yaml', line: 7, column: 3 };
    harness.store.setProblems([{ ...place, reason: 'InvalidYaml', message: 'bad "indentation"' }]);
    const { code, stderr } = await kubectl('get', 'sandboxes');
    expect(code).toBe(0);
    expect(stderr).toBe('Warning: /m/größe.yaml:7:3: bad "indentation"\n');
  });

  it('describes with conditions and events', async () => {
    const { uid } = harness.store.get({ kind: 'Sandbox', name: 'main' })!.metadata;
    harness.events.add(event({ regarding: { kind: 'Sandbox', name: 'main', uid }, message: 'Made it.' }));
    const { code, stdout } = await kubectl('describe', 'sandbox', 'main');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Keep Running: +true/);
    expect(stdout).toMatch(/Reason: +ImageChanged/);
    expect(stdout).toMatch(/Normal +Created .*controller +Made it\./);
  });

  it('deletes and waits until the object is gone', async () => {
    harness.store.put('Sandbox', 'main', { finalizers: ['berth.dev/container'] });
    const unsubscribe = harness.store.subscribe(({ object }) => {
      if (object.metadata.deletionTimestamp === undefined) return;
      unsubscribe();
      setTimeout(() => {
        harness.store.remove({ kind: 'Sandbox', name: 'main' });
      }, 50);
    });
    const { code, stdout } = await kubectl('delete', 'sandbox', 'main', '--timeout=8s');
    expect(stdout).toBe('sandbox.berth.dev "main" deleted\n');
    expect(code).toBe(0);
    expect(harness.store.get({ kind: 'Sandbox', name: 'main' })).toBeUndefined();
  });

  it('may set a fact and no other annotation', async () => {
    expect((await kubectl('annotate', 'sb', 'main', 'berth.dev/restartedAt=2026-01-01T00:00:00Z')).code).toBe(0);
    expect(harness.store.get({ kind: 'Sandbox', name: 'main' })?.metadata.annotations).toEqual({
      'berth.dev/restartedAt': '2026-01-01T00:00:00Z',
    });
    const wrong = await kubectl('annotate', '--overwrite', 'sb', 'main', 'berth.dev/restartedAt=now');
    expect(wrong.stderr).toContain('metadata.annotations[berth.dev/restartedAt]: Invalid value: "now": must be a time');
    const refused = await kubectl('annotate', 'sb', 'main', 'note=x');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('/home/ann/.config/berth/manifests');
  });

  it('watches', async () => {
    const child = start(['get', 'sandboxes', '-w']);
    const closed = new Promise((resolve) => child.on('close', resolve));
    let text = '';
    const seen = async (line: RegExp): Promise<void> => {
      while (!line.test(text)) {
        await new Promise<void>((resolve) =>
          child.stdout?.once('data', (chunk: Buffer) => {
            text += chunk.toString();
            resolve();
          }),
        );
      }
    };
    await seen(/main +Docker +Ready +True +False/);
    harness.store.put('Sandbox', 'main', {
      status: conditions({ Ready: 'False Stopping', UpToDate: 'True UpToDate' }),
    });
    await seen(/main +<none> +Stopping +False +True/);
    child.kill();
    await closed;
  });
});
