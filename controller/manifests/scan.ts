import type { ParsedDocument, ParsedManifest } from '../../crds/parse';
import type { ManifestProblem } from '../../crds/problems';

/** When there are any problems, the file as a whole counts for nothing and its last good content stands. */
export type ParseManifest = (text: string, path: string) => ParsedManifest;

/** A file as one scan found it. `Unsettled`: still being written, or seen for the first time a moment ago. */
export type ScannedFile =
  | {
      readonly path: string;
      readonly state: 'Parsed';
      readonly documents: readonly ParsedDocument[];
      /** What is left aside without being a problem. */
      readonly warnings: readonly string[];
    }
  | { readonly path: string; readonly state: 'Broken'; readonly problems: readonly ManifestProblem[] }
  | { readonly path: string; readonly state: 'Unsettled' };

/** What of a file has no effect, and where: of the file as a whole, and of each object in it. */
export function warningsOf(file: ScannedFile): readonly string[] {
  if (file.state !== 'Parsed') return [];
  const ofObjects = file.documents.flatMap(({ declaration: { kind, name }, line, warnings }) =>
    warnings.map((warning) => `${file.path}:${line}: ${kind}/${name}: ${warning}`),
  );
  return [...file.warnings.map((warning) => `${file.path}: ${warning}`), ...ofObjects];
}

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
