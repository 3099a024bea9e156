import type { Declaration, Key, Kind, OwnerReference, Resource } from '../crds/meta';
import type { ManifestProblem } from '../crds/problems';

/** What happened to an object, in watch order. For DELETED, `object` is the last state it had. */
export interface StoreChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Resource;
  readonly previous?: Resource;
}

/** Where an object's declaration comes from. */
export type Origin =
  | { readonly type: 'File'; readonly path: string; readonly line: number }
  | { readonly type: 'BuiltIn' }
  | { readonly type: 'Owned'; readonly owner: OwnerReference };

/** An object's origin file no longer declares it; `held` says why it was not let go at once. */
export interface MissingManifest {
  readonly since: string;
  /** The scan that lost it lost so much at once that only a person lets go. */
  readonly massLoss: boolean;
}

/** What the manifest side knows about an object's declaration; conditions and the API show it. */
export interface ManifestState {
  readonly origin: Origin;
  readonly missing?: MissingManifest;
  /** Problems of its file: while there are any, the last good declaration stands. */
  readonly problems: readonly ManifestProblem[];
  /** Accepted, but without effect yet, or overridden. */
  readonly warnings: readonly string[];
}

/** Reading side, for everyone. Objects are frozen; lists are sorted by name. */
export interface StoreReader {
  get(key: Key): Resource | undefined;
  list(kind: Kind): readonly Resource[];
  /** The resourceVersion of the newest change of all. */
  revision(): string;
  manifest(key: Key): ManifestState | undefined;
  /** All problems of all files, by path and line. */
  problems(): readonly ManifestProblem[];
  subscribe(listener: (change: StoreChange) => void): () => void;
}

/** What people ask for through the API: facts and deletion, never an edit of a spec. */
export interface StoreRequests {
  /** Sets `berth.dev/*` facts; a null value removes one. Undefined when there is no such object. */
  annotate(key: Key, facts: Readonly<Record<string, string | null>>): Resource | undefined;
  /** Marks for deletion (idempotent); an object without finalizers is gone at once. Undefined when absent. */
  requestDeletion(key: Key): Resource | undefined;
}

/** What reconcilers write. Each status has one writer; a write that changes nothing is not a write. */
export interface StoreWriter {
  writeStatus(key: Key, status: object): void;
  addFinalizer(key: Key, finalizer: string): void;
  /** Removing the last finalizer of an object marked for deletion removes the object. */
  removeFinalizer(key: Key, finalizer: string): void;
  /** Creates or updates an object owned by another; throws NameConflict when a person declared that name. */
  applyOwned(owner: OwnerReference, declaration: Declaration): void;
  /** Private facts of a reconciler about the object with this uid; they outlive the controller, not the object. */
  readFact(uid: string, name: string): string | undefined;
  writeFact(uid: string, name: string, value: string | undefined): void;
}

export type ObjectStore = StoreReader & StoreRequests & StoreWriter;

/** A person's manifest declares the name that an owned object needs. */
export class NameConflictError extends Error {
  override readonly name = 'NameConflictError';
}
