import {
  formatKey,
  keyOf,
  type Declaration,
  type Key,
  type Kind,
  type OwnerReference,
  type Resource,
} from '../../crds/meta';
import type { ManifestProblem } from '../../crds/problems';
import { timestamp, type Clock } from '../clock';
import { NameConflictError, type ManifestState, type ObjectStore, type StoreChange } from '../store';
import type { Db } from './db';
import { annotated, born, doomed, redeclared, sameJson, withFinalizers, withStatus } from './mutations';
import { Rows, type StoredObject } from './rows';

export interface ObjectStoreOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly newUid: () => string;
}

/**
 * The one truth in memory, written through to disk before anyone hears of a change. Reading one's own write is free,
 * and every mutation that changes nothing is no mutation.
 */
export class SqliteObjectStore implements ObjectStore {
  readonly #rows: Rows;
  readonly #clock: Clock;
  readonly #newUid: () => string;
  readonly #objects = new Map<string, StoredObject>();
  /** Sorted lists by kind, until an object of the kind changes. */
  readonly #lists = new Map<Kind, readonly Resource[]>();
  readonly #listeners = new Set<(change: StoreChange) => void>();
  #revision: number;
  #problems: readonly ManifestProblem[] = [];

  constructor({ db, clock, newUid }: ObjectStoreOptions) {
    this.#rows = new Rows(db);
    this.#clock = clock;
    this.#newUid = newUid;
    this.#revision = this.#rows.revision();
    for (const stored of this.#rows.all()) this.#objects.set(formatKey(keyOf(stored.resource)), deepFreeze(stored));
  }

  get(key: Key): Resource | undefined {
    return this.#objects.get(formatKey(key))?.resource;
  }

  list(kind: Kind): readonly Resource[] {
    const standing = this.#lists.get(kind);
    if (standing) return standing;
    const all = [...this.#objects.values()]
      .map(({ resource }) => resource)
      .filter((resource) => resource.kind === kind);
    const sorted = Object.freeze(all.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)));
    this.#lists.set(kind, sorted);
    return sorted;
  }

  /** Everything with its manifest state, for the planner of manifests. */
  stored(): readonly StoredObject[] {
    return [...this.#objects.values()];
  }

  revision(): string {
    return String(this.#revision);
  }

  manifest(key: Key): ManifestState | undefined {
    return this.#objects.get(formatKey(key))?.manifest;
  }

  problems(): readonly ManifestProblem[] {
    return this.#problems;
  }

  setProblems(problems: readonly ManifestProblem[]): void {
    this.#problems = problems;
  }

  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Creates the object or brings its declared part up to date. One that is being deleted is left to its finalizers. */
  declare(declaration: Declaration, manifest: ManifestState): void {
    const standing = this.#objects.get(formatKey(declaration));
    if (!standing) {
      const birth = { uid: this.#newUid(), at: timestamp(this.#clock), revision: this.#nextRevision() };
      this.#commit({ resource: born(declaration, manifest, birth), manifest });
      return;
    }
    if (standing.resource.metadata.deletionTimestamp) return;
    this.#update(standing, redeclared(standing.resource, declaration, manifest), manifest);
  }

  /** Notes what the manifest side found out about an object whose declaration stays as it is. */
  note(key: Key, manifest: ManifestState): void {
    const standing = this.#objects.get(formatKey(key));
    if (standing) this.#update(standing, standing.resource, manifest);
  }

  annotate(key: Key, facts: Readonly<Record<string, string | null>>): Resource | undefined {
    return this.#mutate(key, (resource) => annotated(resource, facts));
  }

  requestDeletion(key: Key): Resource | undefined {
    return this.#mutate(key, (resource) => doomed(resource, timestamp(this.#clock)));
  }

  writeStatus(key: Key, status: object): void {
    this.#mutate(key, (resource) => withStatus(resource, status));
  }

  addFinalizer(key: Key, finalizer: string): void {
    this.#mutate(key, (resource) => {
      if (resource.metadata.deletionTimestamp) return resource;
      return withFinalizers(resource, [...new Set([...(resource.metadata.finalizers ?? []), finalizer])]);
    });
  }

  removeFinalizer(key: Key, finalizer: string): void {
    this.#mutate(key, (resource) =>
      withFinalizers(
        resource,
        (resource.metadata.finalizers ?? []).filter((name) => name !== finalizer),
      ),
    );
  }

  applyOwned(owner: OwnerReference, declaration: Declaration): void {
    const standing = this.#objects.get(formatKey(declaration));
    const ownedBy = standing?.resource.metadata.ownerReferences?.[0];
    if (standing && ownedBy?.uid !== owner.uid) {
      throw new NameConflictError(
        `${formatKey(declaration)} is ${ownedBy ? 'owned by another object' : 'declared by hand'}`,
      );
    }
    this.declare(declaration, { origin: { type: 'Owned', owner }, problems: [], warnings: [] });
  }

  readFact(uid: string, name: string): string | undefined {
    return this.#rows.fact(uid, name);
  }

  writeFact(uid: string, name: string, value: string | undefined): void {
    this.#rows.putFact(uid, name, value);
  }

  #mutate(key: Key, change: (resource: Resource) => Resource): Resource | undefined {
    const standing = this.#objects.get(formatKey(key));
    if (!standing) return undefined;
    const next = change(standing.resource);
    if (isFree(next)) return this.#remove(standing, next);
    this.#update(standing, next, standing.manifest);
    return this.get(key);
  }

  #update(standing: StoredObject, resource: Resource, manifest: ManifestState): void {
    const sameManifest = manifest === standing.manifest || sameJson(manifest, standing.manifest);
    if (resource === standing.resource && sameManifest) return;
    const metadata = { ...resource.metadata, resourceVersion: this.#nextRevision() };
    this.#commit({ resource: { ...resource, metadata }, manifest }, standing.resource);
  }

  #commit(next: StoredObject, previous?: Resource): void {
    this.#rows.put(next);
    this.#objects.set(formatKey(keyOf(next.resource)), deepFreeze(next));
    const type = previous ? 'MODIFIED' : 'ADDED';
    this.#tell({ type, object: next.resource, ...(previous ? { previous } : {}) });
  }

  /** In one write with what let go of it: a write that fails in between would leave an object that nobody looks at. */
  #remove(standing: StoredObject, last: Resource): Resource {
    const resourceVersion = this.#nextRevision();
    this.#rows.delete(standing, resourceVersion);
    this.#objects.delete(formatKey(keyOf(last)));
    const object = deepFreeze({ ...last, metadata: { ...last.metadata, resourceVersion } });
    this.#tell({ type: 'DELETED', object, previous: standing.resource });
    return object;
  }

  #tell(change: StoreChange): void {
    this.#lists.delete(change.object.kind);
    for (const listener of this.#listeners) listener(change);
  }

  #nextRevision(): string {
    this.#revision += 1;
    return String(this.#revision);
  }
}

function isFree({ metadata: { deletionTimestamp, finalizers = [] } }: Resource): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
