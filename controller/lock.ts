import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, reasonOf } from '../host/errno';

export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
}

/** Another controller keeps this home; `holder` says which, when its note could be read. */
export class HomeInUseError extends Error {
  override readonly name = 'HomeInUseError';

  constructor(directory: string, holder: LockHolder | undefined) {
    const who = holder ? `process ${holder.pid}, started ${holder.startedAt}` : 'another process';
    super(`a controller already keeps ${directory}: ${who}`);
  }
}

/**
 * One controller a home. The lock is the operating system's, taken through SQLite: it ends with the process however
 * the process ends, so there is never a stale one to clear. Returns what gives it back.
 */
export function lockHome(directory: string, holder: LockHolder): () => void {
  const note = join(directory, 'controller.json');
  const lock = join(directory, 'controller.lock');
  let db: Database.Database | undefined;
  try {
    db = new Database(lock, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    writeNote(note, holder);
  } catch (error) {
    db?.close();
    const code = errnoOf(error) ?? '';
    if (code === 'SQLITE_BUSY') throw new HomeInUseError(directory, readHolder(note));
    if (code.startsWith('SQLITE_'))
      throw new Error(`the lock ${lock} can't be taken: ${reasonOf(error)}`, { cause: error });
    throw error;
  }
  return () => {
    db.close();
  };
}

function writeNote(path: string, holder: LockHolder): void {
  try {
    writeFileSync(path, JSON.stringify(holder), { mode: 0o600 });
  } catch (error) {
    throw new Error(`the note of who keeps the home, ${path}, can't be written: ${reasonOf(error)}`, { cause: error });
  }
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}
