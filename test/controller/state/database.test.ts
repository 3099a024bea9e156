import Database from 'better-sqlite3';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventRecorder } from '../../../controller/events';
import { openDatabase } from '../../../controller/state/database';
import { StateStoreError } from '../../../controller/state/db';
import { SqliteObjectStore } from '../../../controller/state/object-store';
import { FakeClock } from '../../helpers/fake-clock';

const PAGE = 4096;

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'berth-database-'));
  path = join(directory, 'state.db');
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function openStore() {
  const db = openDatabase(path);
  return { db, store: new SqliteObjectStore({ db, clock: new FakeClock(), newUid: () => 'uid' }) };
}

/** A store of about 1 MB that was closed in good order. */
function fill(): void {
  const { db, store } = openStore();
  for (let index = 0; index < 1000; index += 1) store.writeFact(`uid-${index}`, 'fact', 'x'.repeat(1000));
  db.close();
}

/** Overwrites every page but those that the tables begin on. */
function damage(firstPage = 20): void {
  const file = openSync(path, 'r+');
  for (let at = firstPage * PAGE; at < statSync(path).size; at += PAGE)
    writeSync(file, Buffer.alloc(PAGE, 0x5a), 0, PAGE, at);
  closeSync(file);
}

describe('the state store', () => {
  it('with damaged pages is not opened, and named', () => {
    fill();
    damage();
    expect(openStore).toThrow(`the state store ${path} can't be used: it is damaged (`);
    expect(openStore).toThrow(/ Nothing was changed; containers go on\.$/);
  });

  it('with a damaged beginning is named too', () => {
    fill();
    damage(1);
    expect(openStore).toThrow(`the state store ${path} can't be used: `);
  });

  it('that is damaged while it is open names itself, and says so to whoever keeps it', async () => {
    fill();
    const { db, store } = openStore();
    const other = openStore();
    other.store.writeFact('uid', 'fact', 'makes the first one read again');
    damage();
    expect(() => {
      store.writeFact('uid-999', 'fact', 'other');
    }).toThrow(`the state store ${path} is damaged: database disk image`);
    expect(store.readFact('uid-999', 'fact')).not.toBe('other');
    expect(await db.damaged).toBeInstanceOf(StateStoreError);
    other.db.close();
    db.close();
  });

  it('names the object and the event that can’t be read', async () => {
    openStore().db.close();
    const raw = new Database(path);
    raw.exec(`INSERT INTO objects VALUES ('Sandbox', 'main', '{"meta', '{}')`);
    raw.exec(`INSERT INTO events VALUES (1, 'uid', '{"type', '')`);
    raw.close();
    expect(openStore).toThrow(`the state store ${path} is damaged: Sandbox/main can't be read`);
    const db = openDatabase(path);
    const events = new EventRecorder({ db, clock: new FakeClock() });
    expect(() => events.list()).toThrow(`the state store ${path} is damaged: an event can't be read`);
    expect((await db.damaged).message).toContain(path);
    db.close();
  });

  it('says that it can’t be written until a write works again', () => {
    const { db, store } = openStore();
    expect(db.problems()).toEqual([]);
    const limit = (pages: number): unknown => db.prepare(`PRAGMA max_page_count = ${pages}`).get();
    const write = (): void => {
      store.writeFact('uid', 'fact', 'x'.repeat(100_000));
    };
    limit(1);
    const sentence = `the state store ${path} can't be written: database or disk is full`;
    expect(write).toThrow(sentence);
    expect(db.problems()).toEqual([sentence]);
    limit(1000);
    expect(db.problems()).toEqual([]);
    limit(1);
    expect(write).toThrow(sentence);
    limit(1000);
    write();
    expect(db.problems()).toEqual([]);
    db.close();
  });

  it('says which place can’t hold it', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => openDatabase(join(directory, 'file', 'state.db'))).toThrow(`${directory}/file/state.db can't be used`);
  });
});
