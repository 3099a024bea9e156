import type { Condition } from '../../crds/conditions';
import { API_VERSION, formatKey, type Key, type Kind, keyOf, type ObjectMeta, type Resource } from '../../crds/meta';
import type { ManifestProblem } from '../../crds/problems';
import type { ManifestState, StoreChange, StoreReader, StoreRequests } from '../../controller/store';

export interface Put {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: unknown;
  readonly status?: object;
  readonly finalizers?: readonly string[];
  readonly createdAt?: string;
}

/** A store in memory: what the API reads and asks, plus `put` for what manifests and reconcilers would do. */
export class MemoryStore implements StoreReader, StoreRequests {
  readonly #objects = new Map<string, Resource>();
  readonly #manifests = new Map<string, ManifestState>();
  readonly #listeners = new Set<(change: StoreChange) => void>();
  #problems: readonly ManifestProblem[] = [];
  #revision: number;
  #uids = 0;

  constructor(revision = 100) {
    this.#revision = revision;
  }

  get(key: Key): Resource | undefined {
    return this.#objects.get(formatKey(key));
  }

  list(kind: Kind): readonly Resource[] {
    const ofKind = [...this.#objects.values()].filter((object) => object.kind === kind);
    return ofKind.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  revision(): string {
    return String(this.#revision);
  }

  manifest(key: Key): ManifestState | undefined {
    return this.#manifests.get(formatKey(key));
  }

  problems(): readonly ManifestProblem[] {
    return this.#problems;
  }

  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  annotate(key: Key, facts: Readonly<Record<string, string | null>>): Resource | undefined {
    return this.#change(key, (meta) => {
      const merged: Record<string, string | null> = { ...meta.annotations, ...facts };
      const kept = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null);
      return { ...meta, annotations: Object.fromEntries(kept) };
    });
  }

  requestDeletion(key: Key): Resource | undefined {
    const object = this.get(key);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return object;
    const marked = this.#change(key, (meta) => ({
      ...meta,
      generation: meta.generation + 1,
      deletionTimestamp: '2026-01-02T03:04:05.000Z',
    }));
    if ((marked?.metadata.finalizers ?? []).length === 0) this.remove(key);
    return marked;
  }

  /** Declares an object, or writes its status. */
  put(kind: Kind, name: string, { labels, spec, status, finalizers, createdAt }: Put = {}): Resource {
    const previous = this.get({ kind, name });
    const metadata: ObjectMeta = {
      uid: `uid-${(this.#uids += 1)}`,
      generation: 1,
      creationTimestamp: createdAt ?? '2026-01-01T00:00:00.000Z',
      ...previous?.metadata,
      name,
      resourceVersion: String((this.#revision += 1)),
      ...(labels === undefined ? {} : { labels }),
      ...(finalizers === undefined ? {} : { finalizers }),
    };
    return this.#write({
      apiVersion: API_VERSION,
      kind,
      metadata,
      spec: spec ?? previous?.spec ?? {},
      ...(status === undefined ? {} : { status }),
    });
  }

  /** What the last finalizer's removal does. */
  remove(key: Key): void {
    const object = this.get(key);
    if (object === undefined) return;
    this.#objects.delete(formatKey(key));
    const resourceVersion = String((this.#revision += 1));
    this.#emit({
      type: 'DELETED',
      object: { ...object, metadata: { ...object.metadata, resourceVersion } },
      previous: object,
    });
  }

  setManifest(key: Key, manifest: ManifestState): void {
    this.#manifests.set(formatKey(key), manifest);
  }

  setProblems(problems: readonly ManifestProblem[]): void {
    this.#problems = problems;
  }

  #change(key: Key, edit: (meta: ObjectMeta) => ObjectMeta): Resource | undefined {
    const object = this.get(key);
    if (object === undefined) return undefined;
    this.#revision += 1;
    return this.#write({ ...object, metadata: { ...edit(object.metadata), resourceVersion: String(this.#revision) } });
  }

  #write(object: Resource): Resource {
    const id = formatKey(keyOf(object));
    const previous = this.#objects.get(id);
    this.#objects.set(id, Object.freeze(object));
    this.#emit(previous === undefined ? { type: 'ADDED', object } : { type: 'MODIFIED', object, previous });
    return object;
  }

  #emit(change: StoreChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

/** Conditions from `type: 'True Reason message'`, all of generation 1. */
export function conditions(facts: Readonly<Record<string, string>>): { conditions: readonly Condition[] } {
  const list = Object.entries(facts).map(([type, fact]): Condition => {
    const [status = '', reason = '', ...message] = fact.split(' ');
    return {
      type,
      status: status as Condition['status'],
      reason,
      message: message.join(' '),
      lastTransitionTime: '2026-01-01T00:00:00.000Z',
      observedGeneration: 1,
    };
  });
  return { conditions: list };
}
