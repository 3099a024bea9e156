import { parseEnvironmentEntry } from './environment';
import type { Kind } from './meta';
import { kindDefinition } from './registry';
import { printable } from './text';

/** What of a written spec has no effect in this version, one sentence each, in the order of the fields' paths. */
export function specWarnings(kind: Kind, written: unknown): readonly string[] {
  const later = kindDefinition(kind).laterFields.filter((path) => isWritten(written, path.split('.').slice(1)));
  return [...later.map((path) => `${path} has no effect yet`), ...environmentWarnings(kind, written)];
}

function isWritten(spec: unknown, path: readonly string[]): boolean {
  let at = spec;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = (at as Record<string, unknown>)[part];
  }
  return typeof at !== 'object' || at === null || Object.keys(at).length > 0;
}

/** Values may be secrets: only names are said, and only those that are names. */
function environmentWarnings(kind: Kind, spec: unknown): readonly string[] {
  const entries = (spec as { environment?: unknown }).environment;
  const hasEffect = kind === 'Sandbox' || kind === 'SandboxTemplate';
  if (!hasEffect || !Array.isArray(entries)) return [];
  const seen = new Set<string>();
  return (entries as readonly string[]).flatMap((text, index) => {
    const warning = entryWarning(text, seen);
    return warning === undefined ? [] : [`spec.environment[${index}] ${warning}`];
  });
}

function entryWarning(text: string, seen: Set<string>): string | undefined {
  const entry = parseEnvironmentEntry(text);
  if (entry === undefined)
    return 'is left out: it is neither KEY, KEY=VALUE nor KEY=$NAME with names of letters, digits and _';
  if (seen.has(entry.name)) return `is left out: ${printable(entry.name)} is already set above`;
  seen.add(entry.name);
  return entry.from === 'Host' ? 'has no effect yet' : undefined;
}
