import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { ScriptBox, type Outcome } from '../helpers/script-box';

describe('the set-up', () => {
  let box: ScriptBox;
  beforeEach(() => {
    box = new ScriptBox();
    box.program('npm', `mkdir -p ${box.path('node_modules')}`);
    for (const tool of ['g++', 'make', 'python3']) box.program(tool, '');
    box.program('docker', 'echo 27.0.0');
  });
  afterEach(() => {
    box.remove();
  });

  const setup = (args: string[] = [], env: Record<string, string> = {}): Promise<Outcome> =>
    box.run(['/usr/bin/bash', box.path('scripts/setup.sh'), ...args], env);
  const installs = (): number => calls().filter((call) => call.startsWith('npm ci')).length;
  const calls = (): string[] =>
    existsSync(box.path('calls.log')) ? readFileSync(box.path('calls.log'), 'utf8').trim().split('\n') : [];

  it.each(['v18.20.0', 'v20.18.3'])('refuses Node %s and says which it needs', async (version) => {
    box.program('node', `echo ${version}`);
    const { code, stderr } = await setup();
    expect(code).toBe(1);
    expect(stderr).toContain(version.slice(1));
    expect(stderr).toContain('20.19');
    expect(installs()).toBe(0);
  });

  it.each(['v20.19.0', 'v22.0.0', 'v100.1.0'])('takes Node %s', async (version) => {
    box.program('node', `echo ${version}`);
    expect(await setup()).toMatchObject({ code: 0 });
  });

  it('installs the packages once, and again when the lock file changes', async () => {
    expect((await setup()).stdout).toContain('npm ci');
    expect(installs()).toBe(1);
    expect((await setup()).stdout).not.toContain('npm ci');
    expect(installs()).toBe(1);
    box.file('package-lock.json', '{"changed":true}');
    await setup();
    expect(installs()).toBe(2);
  });

  it('leaves a linked node_modules alone', async () => {
    mkdirSync(box.path('shared'));
    symlinkSync(box.path('shared'), box.path('node_modules'));
    expect(await setup()).toMatchObject({ code: 0 });
    expect(installs()).toBe(0);
  });

  it('starts no engine where one answers', async () => {
    const { code, stdout } = await setup();
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/dockerd|Starting/);
  });

  it('takes Podman for an engine, though not for the tests', async () => {
    box.program('docker', 'exit 1');
    box.program('podman', 'echo 4.3.1');
    expect(await setup()).toMatchObject({ code: 0 });
    expect(await setup(['--for-tests'], { CI: 'true' })).toMatchObject({ code: 1 });
  });

  it('says what to do where it cannot start an engine, and fails', async () => {
    box.program('docker', 'exit 1');
    box.program('uname', 'echo Linux');
    const { code, stdout } = await setup();
    expect(code).toBe(1);
    expect(stdout).toContain('systemctl');
    expect(calls().filter((call) => /apt-get|systemctl/.test(call))).toEqual([]);
  });

  it('names the suites that cannot run, and fails for that in CI alone', async () => {
    box.program('docker', 'exit 1');
    const person = await setup(['--for-tests']);
    expect(person).toMatchObject({ code: 0, stdout: expect.stringContaining('engines, e2e') as string });
    expect(person.stdout).not.toContain('Everything');
    const ci = await setup(['--for-tests'], { CI: 'true' });
    expect(ci).toMatchObject({ code: 1, stdout: expect.stringContaining('engines, e2e') as string });
  });

  it('refuses an argument that it does not know', async () => {
    expect(await setup(['--for-test'])).toMatchObject({ code: 1 });
  });
});
