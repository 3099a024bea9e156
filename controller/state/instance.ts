import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../host/errno';
import { metaValue, readMeta } from './database';
import type { Db } from './db';

/** A store that no controller has worked on. Later, a manifest directory that is gone is a loss and not a beginning. */
export function isNew(db: Db): boolean {
  return readMeta(db, 'instance') === undefined;
}

/**
 * What marks the containers of one home as its own. Kept in the store and once more beside the homes that they mount:
 * should the store be lost, their names are still taken, and nothing is run twice on the same files.
 */
export function instanceOf(db: Db, dataDirectory: string): string {
  const path = join(dataDirectory, 'instance');
  const written = read(path);
  const instance = metaValue(db, 'instance', () => written ?? randomBytes(8).toString('hex'));
  if (written !== instance) writeFileSync(path, `${instance}\n`, { mode: 0o600 });
  return instance;
}

function read(path: string): string | undefined {
  try {
    return /^[0-9a-f]{16}\n$/.exec(readFileSync(path, 'utf8'))?.[0].trim();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
