import { KINDS, keyOf, type Kind } from '../crds/meta';
import type { KeyMapper } from './reconcile';
import type { WorkQueue } from './queue';
import type { StoreChange, StoreReader } from './store';

export interface InformerDeps {
  readonly store: StoreReader;
  readonly queue: WorkQueue;
  readonly mappers: readonly KeyMapper[];
  /** Whether a change needs a pass over the object itself: an optimisation, never needed for correctness. */
  readonly predicate?: (change: StoreChange) => boolean;
}

/** Turns every change in the store into keys to look at: the object's own, its owner's, and those it is mapped to. */
export class Informer {
  readonly #deps: InformerDeps;
  #unsubscribe: (() => void) | undefined;

  constructor(deps: InformerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#unsubscribe = this.#deps.store.subscribe((change) => {
      this.#told(change);
    });
    this.resync();
  }

  /** Enqueues everything there is. */
  resync(): void {
    for (const kind of KINDS) this.resyncKind(kind);
  }

  resyncKind(kind: Kind): void {
    for (const object of this.#deps.store.list(kind)) this.#deps.queue.add(keyOf(object));
  }

  stop(): void {
    this.#unsubscribe?.();
  }

  #told(change: StoreChange): void {
    const { queue, store, mappers, predicate = changesMoreThanStatus } = this.#deps;
    if (predicate(change)) queue.add(keyOf(change.object));
    for (const { kind, name } of change.object.metadata.ownerReferences ?? []) queue.add({ kind, name });
    for (const mapper of mappers) for (const key of mapper(change.object, store)) queue.add(key);
  }
}

/** A pass writes its own object's status: seeing that again would only repeat the pass. */
export function changesMoreThanStatus({ object, previous }: StoreChange): boolean {
  return !previous || object.status === previous.status;
}
