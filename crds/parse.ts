import type { DocumentProblem, ReadDocument } from './document';
import { readDocument } from './document';
import type { Declaration } from './meta';
import { API_VERSION, formatKey } from './meta';
import type { ManifestProblem } from './problems';
import { printable } from './text';
import type { Tree } from './yaml-tree';
import { keyPosition, readYaml, valuePosition } from './yaml-tree';

/** One object that a file declares, and where it begins. */
export interface ParsedDocument {
  readonly declaration: Declaration;
  readonly line: number;
  /** What of it has no effect, one sentence each. */
  readonly warnings: readonly string[];
}

export interface ParsedManifest {
  readonly documents: readonly ParsedDocument[];
  /** By line and column. */
  readonly problems: readonly ManifestProblem[];
  /** What is left aside without being a problem: objects that are not Berth's. */
  readonly warnings: readonly string[];
}

/**
 * Reads the text of one manifest file: any number of documents, and Lists of them. Never throws, whatever the text.
 * `documents` holds what is valid even where another part is not; it is the caller who decides whether a file with
 * problems counts. A file cut short can be valid and say something else: that cannot be seen here.
 */
export function parseManifest(text: string, path: string): ParsedManifest {
  const file = readYaml(text);
  const read = file.documents.flatMap(readObjects);
  const { first, repeated } = splitRepeated(read);
  const problems: DocumentProblem[] = [
    ...file.problems.map((problem) => ({ ...problem, reason: 'InvalidYaml' as const })),
    ...read.flatMap((document) => document.problems),
    ...repeated,
  ];
  return {
    documents: first,
    problems: problems.map((problem) => ({ path, ...problem })).toSorted(byPlace),
    warnings: read.flatMap((document) => (document.declaration === undefined ? document.warnings : [])),
  };
}

const LIST_VERSIONS: readonly unknown[] = ['v1', API_VERSION];
const LIST_FIELDS = ['apiVersion', 'kind', 'metadata', 'items'];

function readObjects(tree: Tree): readonly ReadDocument[] {
  if (!isList(tree)) return [readDocument(tree)];
  const items = tree.children.get('items');
  const unknown = [...tree.children.keys()].filter((key) => !LIST_FIELDS.includes(String(key)));
  const problems = unknown.map((key) => ({
    ...keyPosition(tree, [key]),
    reason: 'UnknownField' as const,
    message: `${printable(String(key))}: unknown field of a List`,
  }));
  if (!Array.isArray(items?.value)) {
    return [listProblem(tree, [...problems, { ...valuePosition(tree, ['items']), ...ITEMS_MISSING }])];
  }
  const read = [...items.children.values()].flatMap(readObjects);
  return problems.length === 0 ? read : [listProblem(tree, problems), ...read];
}

const ITEMS_MISSING = { reason: 'InvalidManifest', message: 'items: must be a list of objects' } as const;

function listProblem(tree: Tree, problems: readonly DocumentProblem[]): ReadDocument {
  return { at: tree.at, nameAt: tree.at, problems, warnings: [] };
}

function isList(tree: Tree): boolean {
  const version: unknown = tree.children.get('apiVersion')?.value;
  return tree.children.get('kind')?.value === 'List' && LIST_VERSIONS.includes(version);
}

function splitRepeated(read: readonly ReadDocument[]): {
  first: readonly ParsedDocument[];
  repeated: readonly DocumentProblem[];
} {
  const first = new Map<string, ParsedDocument>();
  const repeated: DocumentProblem[] = [];
  for (const { declaration, at, nameAt, warnings } of read) {
    if (declaration === undefined) continue;
    const key = { kind: declaration.kind, name: declaration.name };
    const known = first.get(formatKey(key));
    if (known === undefined) first.set(formatKey(key), { declaration, line: at.line, warnings });
    else {
      const message = `${formatKey(key)} is already declared at line ${known.line}`;
      repeated.push({ ...nameAt, reason: 'DuplicateObject', message, key });
    }
  }
  return { first: [...first.values()], repeated };
}

function byPlace(a: ManifestProblem, b: ManifestProblem): number {
  return a.line - b.line || a.column - b.column || (a.message < b.message ? -1 : Number(a.message > b.message));
}
