import type { ParsedDocument, ParsedManifest } from '../../crds/parse';
import type { ManifestProblem } from '../../crds/problems';

/** When there are any problems, the file as a whole counts for nothing and its last good content stands. */
export type ParseManifest = (text: string, path: string) => Omit<ParsedManifest, 'warnings'>;

/** A file as one scan found it. `Unsettled`: still being written, or seen for the first time a moment ago. */
export type ScannedFile =
  | { readonly path: string; readonly state: 'Parsed'; readonly documents: readonly ParsedDocument[] }
  | { readonly path: string; readonly state: 'Broken'; readonly problems: readonly ManifestProblem[] }
  | { readonly path: string; readonly state: 'Unsettled' };

/** What the manifest directory held at one moment. */
export interface Scan {
  /** False when it is missing or can't be read: then nothing is concluded from what isn't there. */
  readonly readable: boolean;
  /** Sorted by path. */
  readonly files: readonly ScannedFile[];
  readonly problems: readonly ManifestProblem[];
  /** Nothing in the directory has changed since, in milliseconds of the clock. */
  readonly quietSince: number;
}
