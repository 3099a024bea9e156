import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../host/errno';
import { readMeta, writeMeta } from './database';
import type { Db } from './db';

/** A store that no controller has worked on. Later, a manifest directory that is gone is a loss and not a beginning. */
export function isNew(db: Db): boolean {
  return readMeta(db, INSTANCE) === undefined;
}

const INSTANCE = 'instance';
/** The directory that the store was last used with: set once the file beside the homes was written. */
const MARKED = 'instanceMarked';

interface Mark {
  readonly instance: string;
  /** Device and inode of the data directory. */
  readonly directory: string;
}

/** Two homes would take each other's containers for their own. */
export class CopiedHomeError extends Error {
  override readonly name = 'CopiedHomeError';

  constructor(data: string, file: string) {
    super(
      `${data} is a copy of another home, or was moved to another disk: the containers that it knows may be the other’s. ` +
        `Remove ${file} to make it a home of its own, whose sandboxes get containers of their own`,
    );
  }
}

/**
 * What marks the containers of one home as its own. Kept in the store and once more beside the homes that they mount,
 * with the identity of that directory. Should the store be lost, the names are still taken, and nothing is run twice on
 * the same files; should the home be copied, the copy is refused. A mark that somebody removed makes it another home:
 * what was recorded of containers is forgotten.
 */
export function instanceOf(db: Db, dataDirectory: string): string {
  const file = join(dataDirectory, INSTANCE);
  const { dev, ino } = statSync(dataDirectory, { bigint: true });
  const directory = `${dev}:${ino}`;
  const mark = read(file);
  if (mark && mark.directory !== directory) throw new CopiedHomeError(dataDirectory, file);
  const kept = readMeta(db, INSTANCE);
  if (mark && kept === mark.instance) return kept;
  const renounced = !mark && readMeta(db, MARKED) !== undefined;
  const instance = renounced ? fresh() : (kept ?? mark?.instance ?? fresh());
  db.transaction(() => {
    if (renounced) db.prepare("DELETE FROM facts WHERE name IN ('container', 'recovery', 'place')").run();
    writeMeta(db, INSTANCE, instance);
    writeMeta(db, MARKED, directory);
  });
  writeFileSync(file, `${instance} ${directory}\n`, { mode: 0o600 });
  return instance;
}

function fresh(): string {
  return randomBytes(8).toString('hex');
}

function read(path: string): Mark | undefined {
  try {
    const [, instance = '', directory = ''] = /^([0-9a-f]{16}) (\d+:\d+)\n$/.exec(readFileSync(path, 'utf8')) ?? [];
    return instance === '' ? undefined : { instance, directory };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
