import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '../../controller/api/client';
import { resolveHome } from '../../controller/home';
import type { Context } from '../../ctl/context';
import { isAlive } from '../../ctl/process';
import { CtlHarness, realClock } from './harness';

const SCRIPT = path.join(__dirname, 'fixtures', 'controller.mjs');

let ctl: CtlHarness;
let real: Partial<Context>;
beforeEach(() => {
  ctl = new CtlHarness();
  const env = { PATH: process.env['PATH'], BERTH_HOME: ctl.home.root };
  real = { ...realClock, program: { command: process.execPath, args: [SCRIPT], env } };
});
afterEach(async () => {
  await ctl.run('controller stop', real);
  await ctl.close();
});

function pidOf(text: string): number {
  return Number(/pid (\d+)/.exec(text)?.[1]);
}

describe('ctl controller', () => {
  it('starts it in the background, shows it, and stops it', async () => {
    const started = await ctl.run('controller start', real);
    expect(started.stdout).toMatch(/^The controller is running \(pid \d+\)\.\n$/);
    expect(started.code).toBe(0);
    const pid = pidOf(started.stdout);
    expect(isAlive(pid)).toBe(true);
    expect(readFileSync(path.join(ctl.home.state, 'controller.log'), 'utf8')).toBe('listening\n');

    const shown = await ctl.run('controller status', real);
    expect(shown.stdout).toMatch(new RegExp(`^Controller: +ready\nPID: +${pid}\n`));
    expect(shown.stdout).toMatch(/^Uptime: +5m3s$/m);
    expect(shown.code).toBe(0);

    const stopped = await ctl.run('controller stop', real);
    expect(stopped.stdout).toBe('The controller has stopped; sandboxes and sessions go on.\n');
    expect(stopped.code).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(ctl.home.socket)).toBe(false);
  });

  it('is started once', async () => {
    const pid = pidOf((await ctl.run('controller start', real)).stdout);
    const again = await ctl.run('controller start', real);
    expect(again).toEqual({ code: 0, stdout: `The controller is running already (pid ${pid}).\n`, stderr: '' });
  });

  it('shows why it did not start: the end of its log, and nothing of runs before', async () => {
    mkdirSync(ctl.home.state, { recursive: true });
    appendFileSync(path.join(ctl.home.state, 'controller.log'), 'of another run\n');
    writeFileSync(path.join(ctl.home.root ?? '', 'refuse'), 'the state store is of a newer version');
    const { code, stdout, stderr } = await ctl.run('controller start', real);
    expect(stderr).toMatch(/^error: the controller ended at once \(exit code 3\); the end of .*controller\.log:\n/);
    expect(stderr).toContain('the state store is of a newer version\n');
    expect(stderr).not.toContain('of another run');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('shows why it could not be started at all', async () => {
    const program = { command: '/nowhere/node', args: [], env: {} };
    const { code, stderr } = await ctl.run('controller start', { ...real, program });
    expect(stderr).toContain('ENOENT');
    expect(code).toBe(1);
  });

  it.each([
    ['/proc/berth', 'nothing can be made in /proc'],
    ['/dev/null/berth', '/dev/null is not a directory'],
  ])('says at once that there can be no home at %s', async (root, why) => {
    const home = resolveHome({ BERTH_HOME: root });
    const client = createClient({ socketPath: home.socket, warn: () => undefined });
    const { code, stderr } = await ctl.run('controller start', { ...real, home, client });
    expect(stderr).toContain(`error: the directory ${root}/state can't be made: ${why}`);
    expect(code).toBe(1);
  });

  it('says which log can’t be written', async () => {
    const logFile = path.join(ctl.home.state, 'controller.log');
    mkdirSync(logFile, { recursive: true });
    const { code, stderr } = await ctl.run('controller start', real);
    expect(stderr).toBe(`error: the log ${logFile} can't be written: illegal operation on a directory\n`);
    expect(code).toBe(1);
  });

  it('runs it in the foreground with its exit code', async () => {
    writeFileSync(path.join(ctl.home.root ?? '', 'refuse'), '');
    const program = { command: process.execPath, args: ['-e', 'process.exit(7)'], env: {} };
    expect((await ctl.run('controller run', { ...real, program })).code).toBe(7);
  });

  it('says that none runs: to status a failure, to stop none', async () => {
    const message = `The controller is not running (nothing answers at ${ctl.home.socket}).\n`;
    expect(await ctl.run('controller status')).toEqual({ code: 1, stdout: '', stderr: message });
    expect(await ctl.run('controller stop')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The controller is not running.\n',
    });
  });

  it('takes the socket of a controller that was killed for what it is', async () => {
    const pid = pidOf((await ctl.run('controller start', real)).stdout);
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await new Promise(setImmediate);
    expect(existsSync(ctl.home.socket)).toBe(true);
    expect((await ctl.run('controller status')).code).toBe(1);
  });

  it('shows what keeps it from its work', async () => {
    await ctl.serve({ problems: ["the state store /s/state.db can't be written: disk is full"] });
    const { code, stdout } = await ctl.run('controller status');
    expect(stdout).toMatch(/^Problem: +the state store \/s\/state.db can't be written: disk is full$/m);
    expect(code).toBe(0);
    await ctl.stopServing();
  });

  it('that still reads the manifests says so', async () => {
    await ctl.serve({ ready: false });
    expect((await ctl.run('controller status')).stdout).toMatch(/^Controller: +reading the manifests$/m);
    await ctl.stopServing();
  });
});

describe('ctl version', () => {
  it('tells both versions, and that they differ', async () => {
    await ctl.serve({ version: '0.2.0' });
    expect(await ctl.run('version')).toEqual({
      code: 0,
      stdout: 'Client Version: v0.1.0\nController Version: v0.2.0\n',
      stderr: 'Warning: they differ; "ctl controller stop" and "start" end that\n',
    });
    await ctl.stopServing();
  });

  it('tells its own when no controller runs', async () => {
    expect(await ctl.run('version')).toEqual({
      code: 0,
      stdout: 'Client Version: v0.1.0\n',
      stderr: 'The controller is not running.\n',
    });
  });
});

describe('ctl api-resources', () => {
  it('lists the types without a controller', async () => {
    const { code, stdout } = await ctl.run('api-resources');
    expect(stdout).toMatch(/^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND\nsettings /);
    expect(stdout).toMatch(/^sandboxes +sb +berth.dev\/v1alpha1 +false +Sandbox$/m);
    expect(stdout).toMatch(/^events +ev +v1 +true +Event$/m);
    expect(code).toBe(0);
  });
});

describe('ctl help', () => {
  it('is printed when asked for, and is no failure', async () => {
    const { code, stdout } = await ctl.run('--help');
    for (const verb of ['get', 'describe', 'delete', 'restart', 'approve', 'api-resources', 'version', 'controller']) {
      expect(stdout).toMatch(new RegExp(`^  ${verb} `, 'm'));
    }
    expect(code).toBe(0);
  });

  it('is pointed to by an unknown command', async () => {
    const { code, stderr } = await ctl.run('fly');
    expect(stderr).toBe(`error: unknown command 'fly'\n("ctl --help" lists what there is)\n`);
    expect(code).toBe(1);
  });
});
