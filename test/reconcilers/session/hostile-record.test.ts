import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookCommand, readLook, startCommand, stopCommand } from '../../../reconcilers/session/scripts';
import type { SessionObserved } from '../../../reconcilers/session/types';

/** A record of a session is where the session itself may write: whatever lies there, the scripts end, and soon. */
describe('the scripts that keep a session, where somebody else wrote its record', () => {
  let uid: string;
  let elsewhere: string;
  let record: string;
  let victim: ChildProcess;

  beforeEach(() => {
    uid = `test-${randomUUID()}`;
    record = `/dev/shm/berth-${uid}`;
    elsewhere = mkdtempSync(join(tmpdir(), 'berth-elsewhere-'));
    mkdirSync(record);
    victim = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  });

  afterEach(() => {
    victim.kill('SIGKILL');
    rmSync(record, { recursive: true, force: true });
    rmSync(elsewhere, { recursive: true, force: true });
  });

  interface Ended {
    readonly status: number | null;
    readonly stdout: string;
  }

  function run(command: readonly string[], env = process.env): Ended {
    const [file = '', ...args] = command;
    const { status, stdout } = spawnSync(file, args, { encoding: 'utf8', timeout: 15_000, killSignal: 'SIGKILL', env });
    return { status, stdout };
  }

  const look = (): SessionObserved => readLook(run(lookCommand(uid, 'sh')).stdout)!;
  const startedOf = (pid: number): string =>
    execFileSync('cut', ['-d', ' ', '-f22', `/proc/${pid}/stat`], { encoding: 'utf8' }).trim();
  const inSession = (): string => `0-a\n${victim.pid} ${startedOf(victim.pid!)}\n`;
  const forge = (name: string, text: string): void => {
    writeFileSync(join(record, name), text);
  };
  /** Asked of the kernel: nothing of the child's end is heard here before the test is over. */
  const living = ({ pid }: ChildProcess): boolean => !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

  const OBSTACLES: readonly (readonly [string, (path: string) => void])[] = [
    ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
    [
      'a link to what never ends',
      (path) => {
        symlinkSync('/dev/zero', path);
      },
    ],
    [
      'a directory',
      (path) => {
        mkdirSync(path);
      },
    ],
    [
      'a file larger than memory',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 1024 ** 4);
      },
    ],
    [
      'a file that may not be read',
      (path) => {
        writeFileSync(path, '', { mode: 0 });
      },
    ],
    [
      'a link to itself',
      (path) => {
        symlinkSync(path, path);
      },
    ],
  ];

  it.each(OBSTACLES)('make nothing of %s in place of the process', (_, put) => {
    put(join(record, 'process'));
    expect(look()).toEqual({ process: { state: 'None' }, agentFound: true });
    expect(run(stopCommand(uid)).status).toBe(0);
    expect(existsSync(record)).toBe(false);
  });

  it.each(OBSTACLES)('find what runs beside %s in place of the exit code', (_, put) => {
    forge('process', inSession());
    put(join(record, 'exit'));
    expect(look().process).toEqual({ state: 'Running', run: '0-a', pid: victim.pid });
  });

  it('read only the beginning of a record', () => {
    forge('process', `0-a\n${victim.pid} ${startedOf(victim.pid!)} ${'x'.repeat(1_000_000)}`);
    const { stdout } = run(lookCommand(uid, 'sh'));
    expect(stdout.length).toBeLessThan(1_000);
  });

  it.each(['-1', '0', '1; touch NOTE', '$(touch NOTE)', '-9', '*', '', '99999999999999999999', '1 2', '01'])(
    'take %j for no process, and end none for it',
    (pid) => {
      const note = join(elsewhere, 'note');
      forge('process', `0-a\n${pid.replace('NOTE', note)} ${startedOf(victim.pid!)}\n`);
      expect(look().process.state).not.toBe('Running');
      expect(run(stopCommand(uid)).status).toBe(0);
      expect([living(victim), existsSync(note), existsSync(record)]).toEqual([true, false, false]);
    },
  );

  it.each(['$(touch NOTE)', '../../x', '0-a 0-b', '-n', 'x'.repeat(500)])('take %j for no run', (name) => {
    forge('process', `${name}\n${victim.pid} ${startedOf(victim.pid!)}\n`);
    expect(look().process).toEqual({ state: 'None' });
  });

  it('neither read nor remove what a link in place of the directory leads to', () => {
    writeFileSync(join(elsewhere, 'process'), inSession());
    rmSync(record, { recursive: true });
    symlinkSync(elsewhere, record);
    expect(look().process).toEqual({ state: 'None' });
    expect(run(stopCommand(uid)).status).toBe(0);
    expect([existsSync(join(elsewhere, 'process')), existsSync(record), living(victim)]).toEqual([true, false, true]);
  });

  it.each([
    [
      'a link',
      () => {
        symlinkSync(elsewhere, record);
      },
    ],
    [
      'a file',
      () => {
        writeFileSync(record, '');
      },
    ],
    ['a pipe', () => execFileSync('mkfifo', [record])],
  ])('start a program though %s is in place of the directory, and write nothing there', (_, put) => {
    rmSync(record, { recursive: true });
    put();
    expect(run(startCommand(uid, '0-a', ['sh', '-c', 'exit 3'])).status).not.toBeNull();
    expect(look().process).toEqual({ state: 'Exited', run: '0-a', exitCode: 3 });
    expect(existsSync(join(elsewhere, 'process'))).toBe(false);
  });

  it('end, and not with an answer, when a shell never does', () => {
    const bin = join(elsewhere, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'head'), '#!/bin/sh\nexec sleep 60\n');
    chmodSync(join(bin, 'head'), 0o755);
    forge('process', inSession());
    const ended = run(lookCommand(uid, 'sh'), { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}` });
    expect(ended.status).not.toBeNull();
    expect(readLook(ended.stdout)).toBeUndefined();
  });
});
