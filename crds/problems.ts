import type { Key } from './meta';

/** One thing wrong with a manifest, where it stands. `line` and `column` count from 1; 0 when the file as a whole is meant. */
export interface ManifestProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly reason: ManifestProblemReason;
  readonly message: string;
  /** The object it is about, when the document got that far. */
  readonly key?: Key;
}

export type ManifestProblemReason =
  'InvalidYaml' | 'InvalidManifest' | 'UnknownField' | 'DuplicateObject' | 'NameConflict' | 'Unreadable' | 'Exposed';
