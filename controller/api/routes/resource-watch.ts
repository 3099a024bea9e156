import type { FastifyReply } from 'fastify';
import type { Resource } from '../../../crds/meta';
import type { View } from '../accept';
import type { VersionedChange } from '../change-window';
import type { ApiDeps } from '../deps';
import { expired } from '../errors';
import { KIND_COLUMNS, toTable } from '../tables';
import type { KindInfo } from '../wire/resources';
import type { WatchEvent, WatchType } from '../wire/types';
import { parseRevision, type Query } from './query';
import { lineMaker, openWatch, sendBookmarks } from './watching';

export interface WatchRequest {
  readonly info: KindInfo;
  readonly query: Query;
  readonly view: View;
  readonly matches: (object: Resource) => boolean;
}

/**
 * Begins after the given revision, or with an ADDED for each object that there is. Nothing is awaited between reading
 * the past and subscribing to the future, so no change falls between them.
 */
export function watchResources(deps: ApiDeps, reply: FastifyReply, request: WatchRequest): void {
  const { info, query, view, matches } = request;
  const past = pastOf(deps, request);
  const stream = openWatch(deps, reply, query);
  const line = lineMaker(deps, view, KIND_COLUMNS[info.kind]);
  const forward = (entry: VersionedChange): void => {
    const seen = asSeenThrough(entry, matches);
    if (seen !== undefined) stream.send(line(seen.type, seen.object));
  };
  if (past === undefined) {
    for (const object of deps.store.list(info.kind).filter(matches)) stream.send(line('ADDED', object));
  } else {
    past.forEach(forward);
  }
  stream.onEnd(deps.changes.subscribe(info.kind, forward));
  if (query.allowBookmarks) sendBookmarks(deps, stream, () => bookmark(deps, request));
}

/** Undefined when the watch begins with what there is now. */
function pastOf({ changes }: ApiDeps, { info, query }: WatchRequest): readonly VersionedChange[] | undefined {
  const since = parseRevision(query.resourceVersion);
  if (since === undefined) return undefined;
  const past = changes.since(since, info.kind);
  if (past === undefined) throw expired(String(since));
  return past;
}

/** A change that moves an object into or out of the selection is an ADDED or a DELETED to who looks through it. */
function asSeenThrough(
  { change }: VersionedChange,
  matches: (object: Resource) => boolean,
): { type: WatchType; object: Resource } | undefined {
  const { type, object, previous } = change;
  const matched = previous !== undefined && matches(previous);
  if (type === 'DELETED') return matches(object) || matched ? { type, object } : undefined;
  if (!matches(object)) return matched ? { type: 'DELETED', object } : undefined;
  return { type: type === 'MODIFIED' && !matched && previous !== undefined ? 'ADDED' : type, object };
}

function bookmark({ store, clock }: ApiDeps, { info, view }: WatchRequest): WatchEvent['object'] {
  const resourceVersion = store.revision();
  if (view.as === 'Object') return { apiVersion: info.apiVersion, kind: info.kind, metadata: { resourceVersion } };
  const columns = KIND_COLUMNS[info.kind];
  return toTable({ columns, items: [], resourceVersion, include: view.include, now: clock.now() });
}
