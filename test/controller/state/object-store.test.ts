import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../controller/state/database';
import { SqliteObjectStore } from '../../../controller/state/object-store';
import { NameConflictError, type ManifestState, type StoreChange } from '../../../controller/store';
import type { Declaration, OwnerReference } from '../../../crds/meta';
import { API_VERSION } from '../../../crds/meta';
import { FakeClock } from '../../helpers/fake-clock';

const manifest: ManifestState = { origin: { type: 'File', path: '/m/a.yaml', line: 3 }, problems: [], warnings: [] };
const key = { kind: 'Sandbox', name: 'main' } as const;

function declaration(spec: object, rest: Partial<Declaration> = {}): Declaration {
  return { ...key, labels: {}, annotations: {}, spec, ...rest };
}

function openStore(path = ':memory:') {
  const clock = new FakeClock();
  const db = openDatabase(path);
  let uids = 0;
  const store = new SqliteObjectStore({ db, clock, newUid: () => `uid-${++uids}` });
  const changes: StoreChange[] = [];
  store.subscribe((change) => changes.push(change));
  return { store, clock, db, changes };
}

describe('SqliteObjectStore', () => {
  it('gives a new object an identity and says where it is declared', () => {
    const { store } = openStore();
    store.declare(declaration({ keepRunning: true }), manifest);
    expect(store.get(key)?.metadata).toMatchObject({
      uid: 'uid-1',
      generation: 1,
      annotations: { 'berth.dev/manifest': '/m/a.yaml:3' },
    });
  });

  it('raises the generation for a changed spec only', () => {
    const { store } = openStore();
    store.declare(declaration({ keepRunning: true }), manifest);
    store.declare(declaration({ keepRunning: true }, { labels: { team: 'shop' } }), manifest);
    expect(store.get(key)?.metadata).toMatchObject({ generation: 1, labels: { team: 'shop' } });
    store.declare(declaration({ keepRunning: false }, { labels: { team: 'shop' } }), manifest);
    expect(store.get(key)?.metadata.generation).toBe(2);
  });

  it('tells nobody of a write that changes nothing', () => {
    const { store, changes } = openStore();
    store.declare(declaration({ a: 1, b: [1, 2] }), manifest);
    store.writeStatus(key, { conditions: [] });
    const before = { changes: changes.length, revision: store.revision() };
    store.declare(declaration({ b: [1, 2], a: 1 }), manifest);
    store.writeStatus(key, { conditions: [] });
    expect({ changes: changes.length, revision: store.revision() }).toEqual(before);
  });

  it('keeps facts when the manifest is edited, and drops what the manifest no longer says', () => {
    const { store } = openStore();
    store.declare(declaration({}, { annotations: { note: 'mine' } }), manifest);
    store.annotate(key, { 'berth.dev/restartedAt': '2026-01-01T00:00:00.000Z' });
    store.declare(declaration({ keepRunning: true }), manifest);
    expect(store.get(key)?.metadata.annotations).toEqual({
      'berth.dev/manifest': '/m/a.yaml:3',
      'berth.dev/restartedAt': '2026-01-01T00:00:00.000Z',
    });
  });

  it('removes an object without finalizers at once, and one with a finalizer when that is done', () => {
    const { store, changes } = openStore();
    store.declare(declaration({}), manifest);
    store.addFinalizer(key, 'berth.dev/container');
    store.requestDeletion(key);
    expect(store.get(key)?.metadata.deletionTimestamp).toBeDefined();
    store.removeFinalizer(key, 'berth.dev/container');
    expect(store.get(key)).toBeUndefined();
    expect(changes.at(-1)?.type).toBe('DELETED');
    expect(store.requestDeletion(key)).toBeUndefined();
  });

  it('removes in one write, so that nothing is left behind half deleted', () => {
    const { store, changes } = openStore();
    store.declare(declaration({ keepRunning: true }), manifest);
    store.addFinalizer(key, 'berth.dev/container');
    store.requestDeletion(key);
    store.removeFinalizer(key, 'berth.dev/container');
    store.declare(declaration({}), manifest);
    const marked = store.requestDeletion(key);
    expect(changes.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED', 'ADDED', 'DELETED']);
    expect(marked?.metadata.deletionTimestamp).toBeDefined();
    expect(changes.at(-1)?.object).toEqual(marked);
  });

  it('does not change what is being deleted when its file still declares it', () => {
    const { store } = openStore();
    store.declare(declaration({ keepRunning: false }), manifest);
    store.addFinalizer(key, 'berth.dev/container');
    store.requestDeletion(key);
    store.declare(declaration({ keepRunning: true }), manifest);
    expect(store.get(key)?.spec).toEqual({ keepRunning: false });
  });

  it('refuses an owned object under a name that a person declared', () => {
    const { store } = openStore();
    store.declare(declaration({}), manifest);
    const owner: OwnerReference = { apiVersion: API_VERSION, kind: 'Session', name: 's', uid: 'u', controller: true };
    expect(() => {
      store.applyOwned(owner, declaration({}));
    }).toThrow(NameConflictError);
  });

  it('finds everything again after the process died, facts included', () => {
    const directory = mkdtempSync(join(tmpdir(), 'berth-store-'));
    try {
      const first = openStore(join(directory, 'state.db'));
      first.store.declare(declaration({ keepRunning: true }), manifest);
      first.store.writeStatus(key, { observedGeneration: 1 });
      first.store.writeFact('uid-1', 'container', '{"nonce":"n"}');
      const second = openStore(join(directory, 'state.db'));
      expect(second.store.get(key)).toEqual(first.store.get(key));
      expect(second.store.revision()).toBe(first.store.revision());
      expect(second.store.readFact('uid-1', 'container')).toBe('{"nonce":"n"}');
      expect(second.store.manifest(key)).toEqual(manifest);
      first.db.close();
      second.db.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('says which file it is that is no state store', () => {
    const directory = mkdtempSync(join(tmpdir(), 'berth-store-'));
    const path = join(directory, 'state.db');
    writeFileSync(path, 'not a database at all, and long enough to be looked at as one');
    expect(() => openStore(path)).toThrow(`the state store ${path} can't be used`);
    rmSync(directory, { recursive: true });
  });

  it('forgets the facts of an object with the object', () => {
    const { store } = openStore();
    store.declare(declaration({}), manifest);
    store.writeFact('uid-1', 'container', 'x');
    store.requestDeletion(key);
    expect(store.readFact('uid-1', 'container')).toBeUndefined();
  });

  it('hands out objects that nobody can change', () => {
    const { store } = openStore();
    store.declare(declaration({ list: [1] }), manifest);
    const spec = store.get(key)?.spec as { list: number[] };
    expect(() => spec.list.push(2)).toThrow(TypeError);
  });
});
