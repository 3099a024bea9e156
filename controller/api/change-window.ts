import type { Kind } from '../../crds/meta';
import type { StoreChange, StoreReader } from '../store';

/** A change with the revision at which it happened. */
export interface VersionedChange {
  readonly revision: number;
  readonly change: StoreChange;
}

/** About a day of a busy controller; a change holds two frozen objects that it shares with its neighbours. */
const DEFAULT_CAPACITY = 2000;

/** The newest changes of the store, so that a watch can go on from where it was cut. */
export class ChangeWindow {
  readonly #changes: VersionedChange[] = [];
  readonly #listeners = new Set<(change: VersionedChange) => void>();
  readonly #unsubscribe: () => void;
  readonly #capacity: number;
  readonly #store: Pick<StoreReader, 'revision'>;
  /** Everything after this revision is in the window. */
  #floor: number;

  constructor(store: Pick<StoreReader, 'revision' | 'subscribe'>, capacity = DEFAULT_CAPACITY) {
    this.#store = store;
    this.#capacity = capacity;
    this.#floor = Number(store.revision());
    this.#unsubscribe = store.subscribe((change) => {
      this.#add(change);
    });
  }

  /**
   * The changes after a revision, oldest first. Undefined when some of them are no longer kept, and when the revision
   * lies in the future: the state store was replaced, and what the client holds describes another past.
   */
  since(revision: number, kind: Kind): readonly VersionedChange[] | undefined {
    if (revision < this.#floor || revision > Number(this.#store.revision())) return undefined;
    return this.#changes.filter((entry) => entry.revision > revision && entry.change.object.kind === kind);
  }

  subscribe(kind: Kind, listener: (change: VersionedChange) => void): () => void {
    const filtered = (entry: VersionedChange): void => {
      if (entry.change.object.kind === kind) listener(entry);
    };
    this.#listeners.add(filtered);
    return () => this.#listeners.delete(filtered);
  }

  close(): void {
    this.#unsubscribe();
    this.#listeners.clear();
  }

  #add(change: StoreChange): void {
    const entry = { revision: Number(change.object.metadata.resourceVersion), change };
    this.#changes.push(entry);
    if (this.#changes.length > this.#capacity) this.#floor = this.#changes.shift()?.revision ?? this.#floor;
    for (const listener of [...this.#listeners]) listener(entry);
  }
}
