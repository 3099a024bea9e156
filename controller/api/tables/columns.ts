import { findCondition, type Condition } from '../../../crds/conditions';
import type { Resource } from '../../../crds/meta';
import { age } from '../wire/duration';

/** One printer column. Cells are made at print time from the object alone, and the time. */
export interface Column<Item = Resource> {
  readonly name: string;
  readonly description: string;
  /** Shown with `-o wide` only. */
  readonly wide?: true;
  readonly cell: (item: Item, now: number) => string;
}

export const NONE = '<none>';
/** The condition as it holds for the object as it is now: one of an older generation says nothing yet. */
function currentCondition(object: Resource, type: string): Condition | undefined {
  const status = object.status as { conditions?: readonly Condition[] } | undefined;
  const condition = findCondition(status?.conditions, type);
  return condition !== undefined && condition.observedGeneration >= object.metadata.generation ? condition : undefined;
}

/** One word that a person can act on: what stands in the way, or how the object is. */
function statusWord(object: Resource): string {
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const accepted = currentCondition(object, 'Accepted');
  if (accepted?.status === 'False') return accepted.reason;
  return currentCondition(object, 'Ready')?.reason ?? 'Pending';
}

/** What stands at a path of field names: text, numbers and yes or no as they are, lists joined, nothing as `<none>`. */
export function at(object: Resource, path: string): string {
  return show(valueAt(object, path));
}

/** The first of several places that holds something. */
function firstOf(object: Resource, ...paths: readonly string[]): string {
  return paths.map((path) => at(object, path)).find((text) => text !== NONE) ?? NONE;
}

function valueAt(object: Resource, path: string): unknown {
  return path.split('.').reduce<unknown>((value, field) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
      ? (value as Record<string, unknown>)[field]
      : undefined;
  }, object);
}

function show(value: unknown): string {
  if (typeof value === 'string') return value === '' ? NONE : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value) || value.length === 0) return NONE;
  return value.map(show).join(',');
}

export const name: Column = {
  name: 'Name',
  description: 'Name of the object; unique for its kind.',
  cell: (object) => object.metadata.name,
};

export const status: Column = {
  name: 'Status',
  description: 'How the object is, in one word: the reason of Ready, or of what keeps it from being accepted.',
  cell: statusWord,
};

export const ready: Column = {
  name: 'Ready',
  description: 'Whether the object is as declared and working.',
  cell: (object) => currentCondition(object, 'Ready')?.status ?? 'Unknown',
};

export const upToDate: Column = {
  name: 'Up-To-Date',
  description: 'Whether what runs is what is declared; False is mended by a restart.',
  cell: (object) => currentCondition(object, 'UpToDate')?.status ?? 'Unknown',
};

export const created: Column = {
  name: 'Age',
  description: 'Time since the object was first declared.',
  cell: (object, now) => age(object.metadata.creationTimestamp, now),
};

/** A column that shows one field, or the first of several that is set. */
export function field(name: string, description: string, ...paths: readonly string[]): Column {
  return { name, description, cell: (object) => firstOf(object, ...paths) };
}

export function wide(column: Column): Column {
  return { ...column, wide: true };
}
