import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HomeInUseError, lockHome } from '../../controller/lock';

const ME = { pid: 42, startedAt: '2026-01-01T00:00:00.000Z' };

/** Takes the same lock in a process of its own, and keeps it until it is killed. */
const HOLDER = `
const Database = require('better-sqlite3');
const db = new Database(process.argv[1] + '/controller.lock', { timeout: 0 });
db.exec('BEGIN EXCLUSIVE');
process.stdout.write('locked');
setInterval(() => undefined, 1000);
`;

describe('the lock of a home', () => {
  let directory: string;
  let holder: ChildProcess | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'berth-lock-'));
  });

  afterEach(() => {
    holder?.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  it('refuses a second one by naming the first, and is free once that gave it back', () => {
    const unlock = lockHome(directory, ME);
    const second = (): unknown => lockHome(directory, { pid: 43, startedAt: 'later' });
    expect(second).toThrow(HomeInUseError);
    expect(second).toThrow(`${directory}: process 42, started 2026-01-01T00:00:00.000Z`);
    unlock();
    lockHome(directory, ME)();
  });

  it('is another process’s as long as that lives, and free however it ends', async () => {
    const child = spawn(process.execPath, ['-e', HOLDER, directory], { cwd: join(__dirname, '../..') });
    holder = child;
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(() => lockHome(directory, ME)).toThrow(HomeInUseError);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    lockHome(directory, ME)();
  });
});
