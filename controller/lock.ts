import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../host/errno';

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
  const db = new Database(join(directory, 'controller.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (errnoOf(error) === 'SQLITE_BUSY') throw new HomeInUseError(directory, readHolder(note));
    throw error;
  }
  writeFileSync(note, JSON.stringify(holder), { mode: 0o600 });
  return () => {
    db.close();
  };
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}
