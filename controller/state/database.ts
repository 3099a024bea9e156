import Database from 'better-sqlite3';
import { Db } from './db';

/** Each entry is one step of the schema, applied once and in order; a landed one is never edited. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE objects (
     kind TEXT NOT NULL, name TEXT NOT NULL, resource TEXT NOT NULL, manifest TEXT NOT NULL,
     PRIMARY KEY (kind, name)
   ) WITHOUT ROWID;
   CREATE TABLE facts (
     uid TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (uid, name)
   ) WITHOUT ROWID;
   CREATE TABLE events (
     id INTEGER PRIMARY KEY, uid TEXT NOT NULL, event TEXT NOT NULL, last_seen TEXT NOT NULL
   );
   CREATE INDEX events_by_uid ON events (uid);`,
];

/**
 * Opens (and makes, mode 0600 by its directory) the state store. WAL, so that a controller killed at any instant loses
 * nothing it had written; `:memory:` gives a store for one test.
 */
export function openDatabase(path: string): Db {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(path);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    check(sqlite);
    migrate(sqlite);
    return new Db(sqlite, path);
  } catch (error) {
    sqlite?.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the state store ${path} can't be used: ${why}. Nothing was changed; containers go on.`, {
      cause: error,
    });
  }
}

/** Looks at every page once, which takes 5 ms for 5 MB: half a store is worse than none. */
function check(db: Database.Database): void {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new Error(`it is damaged (${String(found).replaceAll(/\s+/g, ' ')})`);
}

function migrate(db: Database.Database): void {
  const applied = db.pragma('user_version', { simple: true }) as number;
  if (applied > MIGRATIONS.length) {
    throw new Error(`the state store was written by a newer version (schema ${applied}, known ${MIGRATIONS.length})`);
  }
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(applied)) db.exec(step);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  })();
}

/** A value kept under a name. */
export function readMeta(db: Db, key: string): string | undefined {
  return db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value;
}

export function writeMeta(db: Db, key: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}
