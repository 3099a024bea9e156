import type { FastifyReply } from 'fastify';
import type { Key, Kind } from '../../crds/meta';
import type { ManifestProblem } from '../../crds/problems';
import type { StoreReader } from '../store';
import { printable } from './wire/printable';

/** Headers are small: clients refuse more than 16 KB of them altogether. */
const MAX_WARNINGS = 20;
const MAX_WARNING_BYTES = 400;

/** `path:line:column: message`, the form that editors and terminals make links of. */
function formatProblem({ path, line, column, message }: ManifestProblem): string {
  const place = line === 0 ? path : `${path}:${line}:${column}`;
  return `${place}: ${message}`;
}

/** Every standing problem, since a broken file may hide an object of any kind, and what the kind's objects are warned of. */
export function listWarnings(store: StoreReader, kind: Kind): string[] {
  const own = store.list(kind).flatMap((object) => objectWarnings(store, { kind, name: object.metadata.name }));
  return [...store.problems().map(formatProblem), ...own];
}

/** Problems of this object, and those of files that did not get far enough to say whose they are. */
export function getWarnings(store: StoreReader, key: Key): string[] {
  const problems = store
    .problems()
    .filter((problem) => problem.key === undefined || (problem.key.kind === key.kind && problem.key.name === key.name));
  return [...problems.map(formatProblem), ...objectWarnings(store, key)];
}

function objectWarnings(store: StoreReader, key: Key): string[] {
  return (store.manifest(key)?.warnings ?? []).map((warning) => `${key.kind} "${key.name}": ${warning}`);
}

/** Adds `Warning: 299 - "…"` headers (RFC 7234, 5.5), which kubectl prints on stderr. */
export function addWarnings(reply: FastifyReply, warnings: readonly string[]): void {
  const distinct = [...new Set(warnings)];
  const shown = distinct.slice(0, MAX_WARNINGS);
  if (shown.length < distinct.length) shown.push('there are more problems in the manifests than can be listed here');
  if (shown.length > 0) reply.raw.setHeader('warning', shown.map(warningHeader));
}

/** Header values are bytes to Node; the bytes are UTF-8, which is what kubectl decodes. */
function warningHeader(text: string): string {
  const quoted = cut(printable(text)).replace(/["\\]/g, '\\$&');
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1');
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= MAX_WARNING_BYTES) return text;
  const bytes = Buffer.from(text).subarray(0, MAX_WARNING_BYTES);
  return `${bytes.toString('utf8').replace(/\ufffd$/, '')}…`;
}
