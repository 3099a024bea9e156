import { z } from 'zod';
import { isPlainText } from './text';

/** Where the value of a variable in the container comes from. */
export type EnvironmentEntry =
  | { readonly name: string; readonly from: 'Literal'; readonly value: string }
  | { readonly name: string; readonly from: 'Host'; readonly variable: string };

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads one entry: `KEY` and `KEY=$NAME` take a variable of the host, `KEY=VALUE` is literal, and `$$` at the start of a
 * value is one literal dollar. Only the start of a value is special, and the whole rest after `$` is the name.
 * Undefined when a variable's name is not one.
 */
export function parseEnvironmentEntry(entry: string): EnvironmentEntry | undefined {
  const equals = entry.indexOf('=');
  const name = equals < 0 ? entry : entry.slice(0, equals);
  if (!VARIABLE.test(name)) return undefined;
  if (equals < 0) return { name, from: 'Host', variable: name };
  const value = entry.slice(equals + 1);
  if (value.startsWith('$$')) return { name, from: 'Literal', value: value.slice(1) };
  if (!value.startsWith('$')) return { name, from: 'Literal', value };
  const variable = value.slice(1);
  return VARIABLE.test(variable) ? { name, from: 'Host', variable } : undefined;
}

/** The entries that can be read, the first of each name. What is left out here is warned about when a file is read. */
export function readEnvironment(entries: readonly string[]): readonly EnvironmentEntry[] {
  const byName = new Map<string, EnvironmentEntry>();
  for (const entry of entries) {
    const parsed = parseEnvironmentEntry(entry);
    if (parsed !== undefined && !byName.has(parsed.name)) byName.set(parsed.name, parsed);
  }
  return [...byName.values()];
}

export function environmentList() {
  return z.array(z.string().min(1).refine(isPlainText, { error: 'must not contain control characters' }));
}
