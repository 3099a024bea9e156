import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { negotiate, type View } from '../accept';
import type { ApiDeps } from '../deps';
import { notFound } from '../errors';
import { eventVersion, toCoreEvent } from '../events';
import { type FieldReaders, parseFieldSelector } from '../selectors';
import { eventColumns, toTable } from '../tables';
import { EVENT_NAMESPACE, EVENTS } from '../wire/resources';
import type { CoreEvent } from '../wire/types';
import { parseQuery, parseRevision, type Query } from './query';
import { lineMaker, openWatch, sendBookmarks } from './watching';

/** The fields by which kubectl finds the events of an object. Cluster-scoped objects have no namespace. */
const READERS: FieldReaders<CoreEvent> = {
  'involvedObject.apiVersion': (event) => event.involvedObject.apiVersion,
  'involvedObject.kind': (event) => event.involvedObject.kind,
  'involvedObject.name': (event) => event.involvedObject.name,
  'involvedObject.namespace': () => '',
  'involvedObject.uid': (event) => event.involvedObject.uid,
  'metadata.name': (event) => event.metadata.name,
  'metadata.namespace': () => EVENT_NAMESPACE,
  reason: (event) => event.reason,
  type: (event) => event.type,
};

export function eventRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.get(EVENTS.path, (request, reply) => listOrWatch(deps, request, reply));
  app.get('/api/v1/namespaces/:namespace/events', (request, reply) => listOrWatch(deps, request, reply));
  app.get('/api/v1/namespaces/:namespace/events/:name', (request) => getOne(deps, request));
}

function listOrWatch(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): unknown {
  const query = parseQuery(request);
  const view = negotiate(request.headers.accept, query.includeObject);
  const inNamespace = namespaceTest(request);
  const byField = parseFieldSelector(query.fieldSelector, READERS);
  const matches = (event: CoreEvent): boolean => inNamespace(event) && byField(event);
  if (!query.watch) return present(deps, all(deps).filter(matches), view);
  watchEvents(deps, reply, { query, view, matches });
  return reply;
}

function getOne(deps: ApiDeps, request: FastifyRequest): object {
  const { name } = request.params as { name: string };
  const view = negotiate(request.headers.accept, parseQuery(request).includeObject);
  const event = all(deps).find((candidate) => candidate.metadata.name === name && namespaceTest(request)(candidate));
  if (event === undefined) throw notFound(EVENTS, name);
  return view.as === 'Object' ? event : present(deps, [event], view);
}

function namespaceTest(request: FastifyRequest): (event: CoreEvent) => boolean {
  const { namespace } = request.params as { namespace?: string };
  return (event) => namespace === undefined || event.metadata.namespace === namespace;
}

function all({ events }: ApiDeps): CoreEvent[] {
  return events.list({}).map(toCoreEvent);
}

function present(deps: ApiDeps, items: readonly CoreEvent[], view: View): object {
  const resourceVersion = newestVersion(deps);
  if (view.as === 'Object') return { apiVersion: 'v1', kind: 'EventList', metadata: { resourceVersion }, items };
  const { include } = view;
  return toTable({ columns: eventColumns, items, resourceVersion, include, now: deps.clock.now() });
}

function newestVersion({ events }: ApiDeps): string {
  const newest = events.list({}).at(-1);
  // Never "0": that would ask a later watch for everything once more.
  return newest === undefined ? '1' : eventVersion(newest);
}

interface EventWatch {
  readonly query: Query;
  readonly view: View;
  readonly matches: (event: CoreEvent) => boolean;
}

function watchEvents(deps: ApiDeps, reply: FastifyReply, { query, view, matches }: EventWatch): void {
  const since = parseRevision(query.resourceVersion) ?? 0;
  const stream = openWatch(deps, reply, query);
  const line = lineMaker(deps, view, eventColumns);
  const forward = (event: CoreEvent): void => {
    if (matches(event)) stream.send(line(event.count > 1 && since > 0 ? 'MODIFIED' : 'ADDED', event));
  };
  all(deps)
    .filter((event) => Number(event.metadata.resourceVersion) > since)
    .forEach(forward);
  stream.onEnd(
    deps.events.subscribe((record) => {
      forward(toCoreEvent(record));
    }),
  );
  if (query.allowBookmarks) {
    sendBookmarks(deps, stream, () => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { resourceVersion: newestVersion(deps) },
    }));
  }
}
