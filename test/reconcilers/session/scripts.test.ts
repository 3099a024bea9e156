import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { lookCommand, readLook, startCommand, stopCommand } from '../../../reconcilers/session/scripts';

/** The scripts as they are, with the shell of this machine in place of the container's. */
describe('the scripts that keep a session', () => {
  let uid: string;
  let started: ChildProcess[];

  beforeEach(() => {
    uid = `test-${randomUUID()}`;
    started = [];
  });

  afterEach(() => {
    run(stopCommand(uid));
    for (const child of started) child.kill('SIGKILL');
    rmSync(`/dev/shm/berth-${uid}`, { recursive: true, force: true });
  });

  function run(command: readonly string[]): string {
    const [file = '', ...args] = command;
    return spawnSync(file, args, { encoding: 'utf8', timeout: 8_000 }).stdout;
  }

  /** In a terminal session of its own, as an exec with a terminal has. */
  function start(name: string, command: readonly string[]): ChildProcess {
    const [file = '', ...args] = startCommand(uid, name, command);
    const child = spawn(file, args, { detached: true, stdio: 'ignore' });
    started.push(child);
    return child;
  }

  async function until(holds: () => boolean): Promise<void> {
    const deadline = Date.now() + 5_000;
    while (!holds()) {
      if (Date.now() > deadline) throw new Error(`not within five seconds: ${run(lookCommand(uid, 'sh'))}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  const look = (program = 'sh') => readLook(run(lookCommand(uid, program)))!;
  const state = () => look().process.state;

  it('find nothing before anything was started, and whether the program is there', () => {
    expect(look()).toEqual({ process: { state: 'None' }, agentFound: true });
    expect(look('no-such-program-anywhere')).toEqual({ process: { state: 'None' }, agentFound: false });
  });

  it('find what runs, with its run and its pid', async () => {
    const child = start('0-a', ['sleep', '60']);
    await until(() => state() === 'Running');
    expect(look().process).toEqual({ state: 'Running', run: '0-a', pid: child.pid });
  });

  it('leave the files that a program makes to its own mask', () => {
    const file = `/dev/shm/berth-test-file-${uid}`;
    const shell = startCommand(uid, '0-a', ['sh', '-c', `umask > ${file}`]);
    spawnSync('sh', ['-c', 'umask 022; exec "$@"', 'sh', ...shell]);
    expect(readFileSync(file, 'utf8')).toBe('0022\n');
    rmSync(file);
  });

  it('start one process a run, however often it is asked for', async () => {
    start('0-a', ['sleep', '60']);
    await until(() => state() === 'Running');
    const second = start('0-a', ['sleep', '60']);
    await until(() => second.exitCode !== null);
    expect(second.exitCode).toBe(0);
    expect(look().process).toMatchObject({ pid: started[0]?.pid });
  });

  it.each([0, 3])('keep the exit code %p of what ended', async (code) => {
    start('0-a', ['sh', '-c', `exit ${code}`]);
    await until(() => state() === 'Exited');
    expect(look().process).toEqual({ state: 'Exited', run: '0-a', exitCode: code });
  });

  it('know what was killed as ended, without a code', async () => {
    const child = start('0-a', ['sleep', '60']);
    await until(() => state() === 'Running');
    process.kill(-child.pid!, 'SIGKILL');
    await until(() => state() === 'Exited');
    expect(look().process).toEqual({ state: 'Exited', run: '0-a' });
  });

  it('start another run after one that ended, and forget how that one did', async () => {
    start('0-a', ['sh', '-c', 'exit 3']);
    await until(() => state() === 'Exited');
    start('5-a', ['sleep', '60']);
    await until(() => state() === 'Running');
    expect(look().process).toMatchObject({ run: '5-a' });
  });

  it('stop all of a session and forget it, whatever it ignores', async () => {
    const child = start('0-a', ['sh', '-c', 'trap "" HUP TERM; sleep 60 & sleep 61']);
    await until(() => state() === 'Running');
    const gone = new Promise((resolve) => child.once('exit', resolve));
    run(stopCommand(uid));
    await gone;
    expect(look().process).toEqual({ state: 'None' });
    expect(existsSync(`/dev/shm/berth-${uid}`)).toBe(false);
    const left = spawnSync('ps', ['-o', 'stat=', '-s', String(child.pid)], { encoding: 'utf8' }).stdout;
    expect(left.split('\n').filter((line) => line !== '' && !line.startsWith('Z'))).toEqual([]);
  });

  it('leave a program the time to end well', async () => {
    const note = `/dev/shm/berth-note-${uid}`;
    const program = 'trap "sleep 0.3; echo saved > $0; exit" TERM; trap "" HUP; while :; do sleep 0.05; done';
    start('0-a', ['sh', '-c', program, note]);
    await until(() => state() === 'Running');
    const [file = '', ...args] = stopCommand(uid);
    await promisify(execFile)(file, args);
    const saved = existsSync(note);
    rmSync(note, { force: true });
    expect(saved).toBe(true);
  });

  it('stop nothing when nothing was started', () => {
    expect(run(stopCommand(uid))).toBe('');
  });

  it('pass arguments on as they are', async () => {
    const odd = 'a b; \'"$HOME`\\';
    start('0-a', ['sh', '-c', 'test "$1" = "$2" && test $# = 2 && exit 7', 'x', odd, odd]);
    await until(() => state() === 'Exited');
    expect(look().process).toMatchObject({ exitCode: 7 });
  });

  it.each(['', 'run', 'pid 4', 'found maybe\nrun 0-a\npid x', 'run 1;x\npid 4'])('make no process of %j', (output) => {
    expect(readLook(`${output}\nend\n`)?.process.state).not.toBe('Running');
  });

  it.each(['', 'garbage', 'found yes\n', 'found yes\nrun 0-a\npid 4\n'])('make no answer of %j', (output) => {
    expect(readLook(output)).toBeUndefined();
  });

  it('do not start a run again that has lost its record, and say that it has ended', async () => {
    start('0-a', ['sleep', '60']);
    await until(() => state() === 'Running');
    rmSync(`/dev/shm/berth-${uid}/process`);
    expect(look().process).toEqual({ state: 'Exited', run: '0-a' });
    const second = start('0-a', ['sleep', '60']);
    await until(() => second.exitCode !== null);
    expect(second.exitCode).toBe(0);
  });
});
