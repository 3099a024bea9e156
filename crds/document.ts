import type { FieldProblem } from './issues';
import { checkPart } from './issues';
import { specJsonSchema } from './json-schema';
import type { Declaration, Key, Kind } from './meta';
import { API_GROUP, API_VERSION, FACT_PREFIX, KINDS } from './meta';
import { METADATA_JSON_SCHEMA, metadataSchema, SERVER_FIELDS } from './metadata';
import type { ManifestProblem } from './problems';
import { kindDefinition } from './registry';
import { SETTINGS_NAME } from './settings';
import { didYouMean, nearest } from './suggest';
import { printable } from './text';
import { specWarnings } from './warnings';
import type { Position, Tree } from './yaml-tree';
import { keyPosition, valuePosition } from './yaml-tree';

export type DocumentProblem = Omit<ManifestProblem, 'path'>;

/** What one object in a file says. Without a declaration it is foreign, or its problems say why. */
export interface ReadDocument {
  readonly declaration?: Declaration;
  readonly at: Position;
  /** Where its name stands. */
  readonly nameAt: Position;
  readonly problems: readonly DocumentProblem[];
  readonly warnings: readonly string[];
}

const TOP_LEVEL = ['apiVersion', 'kind', 'metadata', 'spec', 'status'] as const;

/** Reads one object of Berth's or of anybody else's. */
export function readDocument(tree: Tree): ReadDocument {
  const at = { at: tree.at, nameAt: valuePosition(tree, ['metadata', 'name']) };
  const identity = identify(tree);
  if ('problem' in identity) return { ...at, problems: [identity.problem], warnings: [] };
  if ('foreign' in identity) {
    const warning = `${identity.foreign} at line ${tree.at.line} is left aside: it is not an object of ${API_GROUP}`;
    return { ...at, problems: [], warnings: [warning] };
  }
  return { ...at, ...readObject(tree, identity.kind) };
}

type Identity = { readonly kind: Kind } | { readonly foreign: string } | { readonly problem: DocumentProblem };

function identify(tree: Tree): Identity {
  if (!isRecord(tree.value)) return invalid(tree.at, 'must be an object with apiVersion, kind, metadata and spec');
  const { apiVersion, kind } = tree.value;
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    return invalid(valuePosition(tree, ['apiVersion']), `apiVersion: must be "${API_VERSION}"`);
  }
  if (typeof kind !== 'string' || kind === '') {
    return invalid(valuePosition(tree, ['kind']), `kind: must be one of ${KINDS.join(', ')}`);
  }
  if (apiVersion !== API_VERSION) {
    if (isForeign(apiVersion)) return { foreign: `${printable(apiVersion)} ${printable(kind)}` };
    const message = `apiVersion: "${printable(apiVersion)}" is unknown; it must be "${API_VERSION}"`;
    return invalid(valuePosition(tree, ['apiVersion']), message);
  }
  const known = KINDS.find((each) => each === kind);
  if (known !== undefined) return { kind: known };
  const hint = didYouMean(kind, KINDS) || `; it must be one of ${KINDS.join(', ')}`;
  return invalid(valuePosition(tree, ['kind']), `kind: "${printable(kind)}" is unknown${hint}`);
}

/** A misspelled or half-written version of ours is ours: taking it for foreign would make its object vanish. */
function isForeign(apiVersion: string): boolean {
  const group = apiVersion.split('/')[0] ?? '';
  return nearest(group, [API_GROUP]) === undefined && !API_VERSION.startsWith(apiVersion);
}

function invalid(at: Position, message: string): { readonly problem: DocumentProblem } {
  return { problem: { ...at, reason: 'InvalidManifest', message } };
}

function readObject(tree: Tree, kind: Kind): Pick<ReadDocument, 'declaration' | 'problems' | 'warnings'> {
  const written = tree.value as Record<string, unknown>;
  const own = withoutServerFields(written.metadata);
  const shape = { schema: metadataSchema, shape: METADATA_JSON_SCHEMA };
  const metadata = checkPart({ tree, path: ['metadata'], value: own.metadata }, shape);
  const spec = checkSpec(tree, kind, written.spec);
  const found = [...unknownKeys(tree, written), ...metadata.problems, ...spec.problems, ...settingsName(tree, kind)];
  if (found.length > 0 || metadata.data === undefined) {
    const name = isRecord(own.metadata) ? own.metadata.name : undefined;
    return { problems: withKey(found, metadata.data ?? { name }, kind), warnings: [] };
  }
  const { name, labels = {}, annotations = {} } = metadata.data;
  const leftAside = [...own.leftAside, ...('status' in written ? ['status'] : [])];
  return {
    declaration: { kind, name, labels, annotations, spec: spec.data },
    problems: [],
    warnings: [...leftAsideWarning(leftAside), ...specWarnings(kind, written.spec)],
  };
}

function checkSpec(tree: Tree, kind: Kind, spec: unknown): { data?: unknown; problems: readonly FieldProblem[] } {
  if (spec !== undefined && spec !== null) {
    const checks = { schema: kindDefinition(kind).schema, shape: specJsonSchema(kind) };
    return checkPart({ tree, path: ['spec'], value: spec }, checks);
  }
  const mayBeEmpty = kindDefinition(kind).schema.safeParse({}).success;
  const remedy = mayBeEmpty ? 'write "spec: {}" if nothing is to be said' : `a ${kind} can't be without one`;
  const message = `spec: is ${spec === null ? 'empty' : 'missing'}; ${remedy}`;
  return { problems: [{ ...keyPosition(tree, ['spec']), reason: 'InvalidManifest', message }] };
}

function unknownKeys(tree: Tree, written: object): readonly FieldProblem[] {
  const unknown = Object.keys(written).filter((key) => !TOP_LEVEL.some((known) => known === key));
  return unknown.map((key) => ({
    ...keyPosition(tree, [key]),
    reason: 'UnknownField',
    message: `${printable(key)}: unknown field${didYouMean(key, TOP_LEVEL)}`,
  }));
}

function settingsName(tree: Tree, kind: Kind): readonly FieldProblem[] {
  const name = tree.children.get('metadata')?.children.get('name');
  if (kind !== 'Settings' || name === undefined || name.value === SETTINGS_NAME) return [];
  const message = `metadata.name: must be "${SETTINGS_NAME}", since there is one Settings object only`;
  return [{ ...name.at, reason: 'InvalidManifest', message }];
}

/**
 * What the server adds is left aside. Facts of the controller are among it, but only in what the server printed, which
 * has a uid: written by hand they are a mistake.
 */
function withoutServerFields(metadata: unknown): { metadata: unknown; leftAside: readonly string[] } {
  if (!isRecord(metadata)) return { metadata, leftAside: [] };
  const leftAside: readonly string[] = SERVER_FIELDS.filter((field) => field in metadata);
  const own = omit(metadata, (key) => leftAside.includes(key));
  if (leftAside.includes('uid') && isRecord(own.annotations)) {
    own.annotations = omit(own.annotations, (key) => key.startsWith(FACT_PREFIX));
  }
  return { metadata: own, leftAside: leftAside.map((field) => `metadata.${field}`) };
}

function omit(record: Record<string, unknown>, isOmitted: (key: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !isOmitted(key)));
}

function leftAsideWarning(fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? [] : [`the controller's own fields are left aside: ${fields.join(', ')}`];
}

function withKey(found: readonly FieldProblem[], of: { name: unknown }, kind: Kind): readonly DocumentProblem[] {
  const usable = typeof of.name === 'string' && metadataSchema.shape.name.safeParse(of.name).success;
  const key: Key | undefined = usable ? { kind, name: of.name as string } : undefined;
  return found.map((problem) => (key === undefined ? problem : { ...problem, key }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
