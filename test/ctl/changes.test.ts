import { RESTARTED_AT } from '../../crds/meta';
import { conditions } from '../helpers/memory-store';
import { CtlHarness } from './harness';

const MAIN = { kind: 'Sandbox', name: 'main' } as const;

let ctl: CtlHarness;
beforeEach(async () => {
  ctl = new CtlHarness();
  await ctl.serve();
});
afterEach(async () => {
  await ctl.close();
});

/** A sandbox with a container and two sessions in it, one of which works, and one that ended. */
function busySandbox(): void {
  ctl.store.put('Sandbox', 'main', {
    finalizers: ['berth.dev/container'],
    status: conditions({ Ready: 'True Ready' }),
  });
  const running = { ...conditions({ Ready: 'True Running' }), sandbox: 'main' };
  ctl.store.put('Session', 'fix-login', { status: { ...running, activity: 'Working' } });
  ctl.store.put('Session', 'review', { status: running });
  ctl.store.put('Session', 'done', { status: { ...conditions({ Ready: 'False Exited' }), sandbox: 'main' } });
  ctl.store.put('Session', 'elsewhere', { status: { ...running, sandbox: 'other' } });
}

const STOPS = [
  'This stops sandbox "main".',
  'This stops session "fix-login", which is working.',
  'This stops session "review".',
  '',
].join('\n');

describe('ctl delete', () => {
  it('says what stops, and returns when the object is gone', async () => {
    busySandbox();
    const running = ctl.run('delete sandbox main');
    await ctl.stdout.shows(/deleted/);
    expect(ctl.store.get(MAIN)?.metadata.deletionTimestamp).toBeDefined();
    ctl.store.remove(MAIN);
    expect(await running).toEqual({ code: 0, stdout: 'sandbox.berth.dev "main" deleted\n', stderr: STOPS });
  });

  it('of what is at rest says nothing about stopping', async () => {
    ctl.store.put('Sandbox', 'main', { status: conditions({ Ready: 'False Stopped' }) });
    const { stderr } = await ctl.run('delete sandbox/main');
    expect(stderr).toBe('');
    expect(ctl.store.get(MAIN)).toBeUndefined();
  });

  it('does not wait when told not to', async () => {
    busySandbox();
    expect((await ctl.run('delete sandbox main --no-wait')).code).toBe(0);
    expect((await ctl.run('delete sandbox main --wait=false')).code).toBe(0);
    expect(ctl.store.get(MAIN)).toBeDefined();
  });

  it('gives up waiting after the time given', async () => {
    busySandbox();
    const running = ctl.run('delete sandbox main --timeout 1m');
    await ctl.stdout.shows(/deleted/);
    ctl.clock.advance(60_000);
    const { code, stderr } = await running;
    expect(stderr).toContain('error: timed out waiting for the condition on sandboxes.berth.dev/main\n');
    expect(code).toBe(1);
  });

  it('is not misled by an object that takes the name again', async () => {
    busySandbox();
    const running = ctl.run('delete sandbox main');
    await ctl.stdout.shows(/deleted/);
    ctl.store.remove(MAIN);
    ctl.store.put('Sandbox', 'main');
    expect((await running).code).toBe(0);
    expect(ctl.store.get(MAIN)?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('says that the controller went before the object did', async () => {
    busySandbox();
    const running = ctl.run('delete sandbox main');
    await ctl.stdout.shows(/deleted/);
    await ctl.stopServing();
    const { code, stderr } = await running;
    expect(stderr).toContain('error: the controller stopped before sandbox "main" was gone;');
    expect(code).toBe(1);
  });

  it('asks whoever sits there, and a no deletes nothing', async () => {
    busySandbox();
    const { code, stderr } = await ctl.run('delete sandbox main', { confirm: () => Promise.resolve(false) });
    expect(stderr).toBe(`${STOPS}Nothing was deleted.\n`);
    expect(code).toBe(1);
    expect(ctl.store.get(MAIN)?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('asks nobody with -y, nor when nothing stops', async () => {
    const confirm = (): Promise<boolean> => Promise.reject(new Error('asked'));
    busySandbox();
    expect((await ctl.run('delete sandbox main -y --no-wait', { confirm })).code).toBe(0);
    expect((await ctl.run('delete session done', { confirm })).code).toBe(0);
  });

  it('of several deletes none when one is not there', async () => {
    busySandbox();
    const { code, stderr } = await ctl.run('delete session done nope');
    expect(stderr).toBe('Error from server (NotFound): sessions.berth.dev "nope" not found\n');
    expect(code).toBe(1);
    expect(ctl.store.get({ kind: 'Session', name: 'done' })).toBeDefined();
  });

  it('passes on that the manifest will bring it back', async () => {
    ctl.store.put('Sandbox', 'main');
    const origin = { type: 'File', path: '/m/main.yaml', line: 3 } as const;
    ctl.store.setManifest(MAIN, { origin, problems: [], warnings: [] });
    expect((await ctl.run('delete sb main')).stderr).toContain('Warning: /m/main.yaml:3 still declares Sandbox "main"');
  });

  it.each([
    ['delete sandbox', 'error: resource(s) were provided, but no name was specified\n'],
    ['delete', 'error: you must specify the type of resource; "ctl api-resources" lists them\n'],
    ['delete sandbox main --timeout soon', /^error: option '--timeout <duration>' argument 'soon' is invalid/],
  ])('refuses "%s"', async (line, message) => {
    const { code, stderr } = await ctl.run(line);
    expect(stderr).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(code).toBe(1);
  });
});

describe('ctl approve', () => {
  it('lets go of what is held', async () => {
    ctl.store.put('Sandbox', 'main', {
      status: conditions({ Accepted: 'False ManifestMissing', Ready: 'True Ready' }),
    });
    const { code, stdout, stderr } = await ctl.run('approve sandbox main');
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'sandbox.berth.dev "main" deleted\n',
      stderr: 'This stops sandbox "main".\n',
    });
    expect(ctl.store.get(MAIN)).toBeUndefined();
  });

  it.each(['True Valid', 'False InvalidManifest'])('refuses what is not held (%s)', async (accepted) => {
    ctl.store.put('Sandbox', 'main', { status: conditions({ Accepted: accepted }) });
    const { code, stderr } = await ctl.run('approve sandbox main');
    expect(stderr).toMatch(/^error: sandboxes.berth.dev "main" is not held/);
    expect(code).toBe(1);
    expect(ctl.store.get(MAIN)).toBeDefined();
  });
});

describe('ctl restart', () => {
  it('records the wish with its time', async () => {
    ctl.store.put('Sandbox', 'main');
    expect(await ctl.run('restart sandbox main')).toEqual({
      code: 0,
      stdout: 'sandbox.berth.dev/main restarted\n',
      stderr: '',
    });
    expect(ctl.store.get(MAIN)?.metadata.annotations).toEqual({ [RESTARTED_AT]: '2026-01-01T00:05:03.000Z' });
  });

  it('says of what is declared stopped that it stays so', async () => {
    ctl.store.put('Sandbox', 'main', { spec: { state: 'Stopped' } });
    expect(await ctl.run('restart sandbox main')).toMatchObject({
      stdout: '',
      stderr: 'warning: sandbox.berth.dev/main is declared stopped, and is not started\n',
    });
  });

  it('takes sessions, and nothing that does not run', async () => {
    ctl.store.put('Session', 'fix');
    ctl.store.put('Project', 'web');
    expect((await ctl.run('restart sess/fix')).stdout).toBe('session.berth.dev/fix restarted\n');
    const refused = await ctl.run('restart project web');
    expect(refused.stderr).toBe("error: projects can't be restarted: only sandboxes and sessions run\n");
    expect(refused.code).toBe(1);
  });

  it('fails for what is not there', async () => {
    expect((await ctl.run('restart sb nope')).stderr).toContain('Error from server (NotFound)');
  });
});
