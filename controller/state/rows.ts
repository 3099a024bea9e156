import type { Resource } from '../../crds/meta';
import type { ManifestState } from '../store';
import type { Db } from './db';

/** One object as the store keeps it: what the API shows, and what the manifest side knows about it. */
export interface StoredObject {
  readonly resource: Resource;
  readonly manifest: ManifestState;
}

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly resource: string;
  readonly manifest: string;
}

interface Fact {
  readonly uid: string;
  readonly name: string;
  readonly value: string;
}

/** The tables behind the object store, one statement a method. Every write is durable when it returns. */
export class Rows {
  readonly #db: Db;
  readonly #put;
  readonly #delete;
  readonly #revision;
  /** By uid and name: every pass reads some, and nobody else writes them. */
  readonly #facts = new Map<string, Map<string, string>>();

  constructor(db: Db) {
    this.#db = db;
    this.#put = db.prepare('INSERT OR REPLACE INTO objects (kind, name, resource, manifest) VALUES (?, ?, ?, ?)');
    this.#delete = db.prepare('DELETE FROM objects WHERE kind = ? AND name = ?');
    for (const { uid, name, value } of db.prepare<[], Fact>('SELECT uid, name, value FROM facts').all()) {
      this.#keepFact(uid, name, value);
    }
    this.#revision = db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('revision', ?)");
  }

  all(): StoredObject[] {
    const rows = this.#db.prepare<[], Row>('SELECT kind, name, resource, manifest FROM objects').all();
    return rows.map(({ kind, name, resource, manifest }) => ({
      resource: this.#db.parse<Resource>(resource, `${kind}/${name}`),
      manifest: this.#db.parse<ManifestState>(manifest, `the manifest of ${kind}/${name}`),
    }));
  }

  put({ resource, manifest }: StoredObject): void {
    const { kind, metadata } = resource;
    this.#db.transaction(() => {
      this.#put.run(kind, metadata.name, JSON.stringify(resource), JSON.stringify(manifest));
      this.#revision.run(metadata.resourceVersion);
    });
  }

  /** Removes the object and every fact about it. */
  delete({ resource }: StoredObject, revision: string): void {
    this.#db.transaction(() => {
      this.#delete.run(resource.kind, resource.metadata.name);
      this.#db.prepare('DELETE FROM facts WHERE uid = ?').run(resource.metadata.uid);
      this.#revision.run(revision);
    });
    this.#facts.delete(resource.metadata.uid);
  }

  revision(): number {
    const row = this.#db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'revision'").get();
    return Number(row?.value ?? 0);
  }

  fact(uid: string, name: string): string | undefined {
    return this.#facts.get(uid)?.get(name);
  }

  putFact(uid: string, name: string, value: string | undefined): void {
    if (value === undefined) this.#db.prepare('DELETE FROM facts WHERE uid = ? AND name = ?').run(uid, name);
    else this.#db.prepare('INSERT OR REPLACE INTO facts (uid, name, value) VALUES (?, ?, ?)').run(uid, name, value);
    this.#keepFact(uid, name, value);
  }

  #keepFact(uid: string, name: string, value: string | undefined): void {
    const facts = this.#facts.get(uid) ?? new Map<string, string>();
    if (value === undefined) facts.delete(name);
    else facts.set(name, value);
    this.#facts.set(uid, facts);
  }
}
