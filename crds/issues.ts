import type { z } from 'zod';
import type { JsonSchema } from './json-schema';
import { pathsNamed, schemaAt } from './json-schema';
import type { ManifestProblemReason } from './problems';
import { didYouMean } from './suggest';
import { printable } from './text';
import type { Position, Tree } from './yaml-tree';
import { keyPosition, valuePosition } from './yaml-tree';

/** What is wrong with one field, before it is known which file and object it belongs to. */
export interface FieldProblem extends Position {
  readonly reason: Extract<ManifestProblemReason, 'InvalidManifest' | 'UnknownField'>;
  readonly message: string;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** A part of a document: its value, which may be less than what is written, and the path to it in the tree. */
export interface Part {
  readonly tree: Tree;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Validates a part of a document; each problem names its field and the place where that stands. */
export function checkPart<Data>(
  part: Part,
  checks: { readonly schema: z.ZodType<Data>; readonly shape: JsonSchema },
): { readonly data?: Data; readonly problems: readonly FieldProblem[] } {
  const result = checks.schema.safeParse(part.value, { error: describe });
  if (result.success) return { data: result.data, problems: [] };
  return { problems: result.error.issues.flatMap((issue) => toProblems(issue, { ...part, shape: checks.shape })) };
}

type Place = Omit<Part, 'value'> & { readonly shape: JsonSchema };

type Issue = z.core.$ZodIssue;

function toProblems(issue: Issue, place: Place): readonly FieldProblem[] {
  const path = [...place.path, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...keyPosition(place.tree, [...path, key]),
      reason: 'UnknownField',
      message: unknownField({ path, key, known: schemaAt(place.shape, issue.path), root: place.shape }),
    }));
  }
  const position = issue.code === 'invalid_key' ? keyPosition(place.tree, path) : valuePosition(place.tree, path);
  return [{ ...position, reason: 'InvalidManifest', message: `${formatPath(path)}: ${issueText(issue)}` }];
}

function issueText(issue: Issue): string {
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

function unknownField(at: {
  path: readonly PropertyKey[];
  key: string;
  known: JsonSchema | undefined;
  root: JsonSchema;
}): string {
  const hint = didYouMean(at.key, Object.keys(at.known?.properties ?? {})) || elsewhere(at.key, at.root);
  return `${formatPath([...at.path, at.key])}: unknown field${hint}`;
}

/** A field that exists, one level too high or too low. */
function elsewhere(key: string, root: JsonSchema): string {
  const [path] = pathsNamed(root, key);
  return path === undefined ? '' : `; there is a "spec.${path}"`;
}

/** The message of an issue for which the schema has no words of its own. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return wrongType(issue.expected, issue.input);
  if (issue.code === 'invalid_value') return notOneOf(issue.values, issue.input);
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty';
  return undefined;
}

function wrongType(expected: string, input: unknown): string {
  if (input === undefined) return 'is missing';
  const wanted = TYPE_NAMES[expected] ?? expected;
  if (input === null) return `is empty; it must be ${wanted}, or the key left out`;
  return `must be ${wanted}, not ${typeOf(input)}`;
}

function notOneOf(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return 'is missing';
  const options = values.map(String);
  const hint = typeof input === 'string' ? didYouMean(input, options) : '';
  return `must be ${options.length === 1 ? '' : 'one of '}${options.join(', ')}${hint}`;
}

function typeOf(input: unknown): string {
  if (Array.isArray(input)) return 'a list';
  return TYPE_NAMES[typeof input] ?? 'this';
}

/** `spec.network.ports[0]`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? printable(String(part)) : `${text}.${printable(String(part))}`;
  }, '');
}
