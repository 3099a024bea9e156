import type Database from 'better-sqlite3';
import { errnoOf } from '../../host/errno';

export interface Statement<Params extends unknown[], Row> {
  readonly get: (...params: Params) => Row | undefined;
  readonly all: (...params: Params) => readonly Row[];
  readonly run: (...params: Params) => void;
}

/** The store could not be read or written; the message names it. */
export class StateStoreError extends Error {
  override readonly name = 'StateStoreError';
}

/** What the daemon is told about the store. */
export interface StoreHealth {
  /** What is wrong now, one sentence each. A store that could not be written is tried once more. */
  problems(): readonly string[];
  /** Resolves when a part of the store turns out to be damaged: what is decided from the rest may be wrong. */
  readonly damaged: Promise<StateStoreError>;
}

/** As much as an object with a long status: less may find room in what was reserved before the disk was full. */
const TRY = `INSERT OR REPLACE INTO meta (key, value) VALUES ('try', hex(zeroblob(8192)));
  DELETE FROM meta WHERE key = 'try'`;

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

/** SQLite with errors that say which file is meant, and a memory of how the last write went. */
export class Db implements StoreHealth {
  readonly damaged: Promise<StateStoreError>;
  readonly #sqlite: Database.Database;
  readonly #path: string;
  #tellDamage: (error: StateStoreError) => void = () => undefined;
  #unwritable: string | undefined;

  constructor(sqlite: Database.Database, path: string) {
    this.#sqlite = sqlite;
    this.#path = path;
    this.damaged = new Promise((resolve) => {
      this.#tellDamage = resolve;
    });
  }

  prepare<Params extends unknown[], Row = unknown>(sql: string): Statement<Params, Row> {
    const statement = this.#read(() => this.#sqlite.prepare<unknown[], Row>(sql));
    return {
      get: (...params) => this.#read(() => statement.get(...params)),
      all: (...params) => this.#read(() => statement.all(...params)),
      run: (...params) => {
        this.#write(() => statement.run(...params));
      },
    };
  }

  /** All of what `run` writes, or nothing. */
  transaction(run: () => void): void {
    this.#write(this.#sqlite.transaction(run));
  }

  /** JSON that was stored; `what` it is of, should it be damaged. */
  parse<Value>(text: string, what: string): Value {
    try {
      return JSON.parse(text) as Value;
    } catch (error) {
      throw this.#damage(`${what} can't be read`, error);
    }
  }

  problems(): readonly string[] {
    if (this.#unwritable !== undefined) this.#tryWriting();
    return this.#unwritable === undefined ? [] : [this.#unwritable];
  }

  close(): void {
    this.#sqlite.close();
  }

  #tryWriting(): void {
    try {
      this.#write(() => this.#sqlite.exec(TRY));
    } catch {
      // What is wrong has been noted.
    }
  }

  #read<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      throw this.#named(error, 'read');
    }
  }

  #write(write: () => unknown): void {
    try {
      write();
    } catch (error) {
      const named = this.#named(error, 'written');
      if (named instanceof StateStoreError) this.#unwritable = named.message;
      throw named;
    }
    // A statement of a transaction has written nothing yet.
    if (!this.#sqlite.inTransaction) this.#unwritable = undefined;
  }

  #named(error: unknown, done: 'read' | 'written'): unknown {
    const code = errnoOf(error);
    if (error instanceof StateStoreError || !code?.startsWith('SQLITE_')) return error;
    const why = (error as Error).message;
    if (DAMAGED.test(code)) return this.#damage(why, error);
    return new StateStoreError(`the state store ${this.#path} can't be ${done}: ${why}`, { cause: error });
  }

  #damage(why: string, cause: unknown): StateStoreError {
    const error = new StateStoreError(`the state store ${this.#path} is damaged: ${why}`, { cause });
    this.#tellDamage(error);
    return error;
  }
}
