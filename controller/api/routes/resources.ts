import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_VERSION, type Key, type Resource } from '../../../crds/meta';
import { negotiate, type View } from '../accept';
import type { ApiDeps } from '../deps';
import { conflict, deleted, methodNotAllowed, notFound, unknownPath } from '../errors';
import { factsOf } from '../merge-patch';
import { comesBack, editedIn } from '../origin';
import { parseFieldSelector, parseLabelSelector } from '../selectors';
import { KIND_COLUMNS, toTable } from '../tables';
import { addWarnings, getWarnings, listWarnings } from '../warnings';
import { type KindInfo, RESOURCES } from '../wire/resources';
import { parseQuery, type Query } from './query';
import { watchResources } from './resource-watch';

const COLLECTION = `/apis/${API_VERSION}/:plural`;
const OBJECT = `${COLLECTION}/:name`;

/** GET, DELETE and PATCH of the objects. What would edit a spec is refused, naming where that is done. */
export function resourceRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.get(COLLECTION, (request, reply) => listOrWatch(deps, request, reply));
  app.get(OBJECT, (request, reply) => getOne(deps, request, reply));
  app.delete(OBJECT, (request, reply) => deleteOne(deps, request, reply));
  app.patch(OBJECT, (request, reply) => patchOne(deps, request, reply));
  app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url: COLLECTION, handler: refuse(deps) });
  app.route({ method: ['POST', 'PUT'], url: OBJECT, handler: refuse(deps) });
}

function listOrWatch(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): unknown {
  const info = infoOf(request);
  const query = parseQuery(request);
  const view = negotiate(request.headers.accept, query.includeObject);
  const matches = selection(query);
  if (query.watch) {
    watchResources(deps, reply, { info, query, view, matches });
    return reply;
  }
  addWarnings(reply, listWarnings(deps.store, info.kind));
  return present(deps, info, deps.store.list(info.kind).filter(matches), view);
}

function selection({ labelSelector, fieldSelector }: Query): (object: Resource) => boolean {
  const byLabel = parseLabelSelector(labelSelector);
  const byField = parseFieldSelector<Resource>(fieldSelector, { 'metadata.name': (object) => object.metadata.name });
  return (object) => byLabel(object.metadata.labels ?? {}) && byField(object);
}

function present({ store, clock }: ApiDeps, info: KindInfo, items: readonly Resource[], view: View): object {
  const resourceVersion = store.revision();
  if (view.as === 'Object') {
    return { apiVersion: info.apiVersion, kind: `${info.kind}List`, metadata: { resourceVersion }, items };
  }
  const columns = KIND_COLUMNS[info.kind];
  return toTable({ columns, items, resourceVersion, include: view.include, now: clock.now() });
}

function getOne(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): object {
  const info = infoOf(request);
  const view = negotiate(request.headers.accept, parseQuery(request).includeObject);
  const key = keyOf(info, request);
  addWarnings(reply, getWarnings(deps.store, key));
  const object = existing(deps, info, key);
  if (view.as === 'Object') return object;
  const { resourceVersion } = object.metadata;
  const columns = KIND_COLUMNS[info.kind];
  return toTable({ columns, items: [object], resourceVersion, include: view.include, now: deps.clock.now() });
}

function deleteOne(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): object {
  const info = infoOf(request);
  const key = keyOf(info, request);
  const object = existing(deps, info, key);
  const options = (request.body ?? {}) as DeleteOptions;
  checkPreconditions(options, info, object);
  if (parseQuery(request).dryRun || options.dryRun?.includes('All') === true) return object;
  const warning = comesBack(key.kind, key.name, deps.store.manifest(key));
  const marked = deps.store.requestDeletion(key);
  if (marked === undefined) throw notFound(info, key.name);
  if (warning !== undefined) addWarnings(reply, [warning]);
  return deps.store.get(key)?.metadata.uid === object.metadata.uid
    ? marked
    : deleted(info, key.name, object.metadata.uid);
}

/** meta/v1 DeleteOptions, as far as it is honoured. */
interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

function checkPreconditions({ preconditions }: DeleteOptions, info: KindInfo, { metadata }: Resource): void {
  const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = preconditions ?? {};
  if (uid !== metadata.uid) {
    throw conflict(info, metadata.name, `the UID in the precondition (${uid}) is not that of the object`);
  }
  if (resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      info,
      metadata.name,
      `the resource version in the precondition (${resourceVersion}) is an older one`,
    );
  }
}

function patchOne(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): object {
  const info = infoOf(request);
  const key = keyOf(info, request);
  const object = existing(deps, info, key);
  const facts = factsOf(request.body, { info, object, editedIn: whereEdited(deps, key), now: deps.clock.now() });
  addWarnings(reply, getWarnings(deps.store, key));
  if (parseQuery(request).dryRun || Object.keys(facts).length === 0) return object;
  const changed = deps.store.annotate(key, facts);
  if (changed === undefined) throw notFound(info, key.name);
  return changed;
}

function refuse(deps: ApiDeps): (request: FastifyRequest) => never {
  return (request) => {
    const info = infoOf(request);
    const { name } = request.params as { name?: string };
    const place =
      name === undefined ? `manifests in ${deps.status().manifests}` : whereEdited(deps, { kind: info.kind, name });
    throw methodNotAllowed(`${request.method} is not done here: ${info.plural} are declared and edited in ${place}`);
  };
}

function whereEdited(deps: ApiDeps, key: Key): string {
  return editedIn(deps.store.manifest(key), deps.status().manifests);
}

function infoOf(request: FastifyRequest): KindInfo {
  const { plural } = request.params as { plural: string };
  const info = RESOURCES.find((candidate) => candidate.plural === plural);
  if (info === undefined) throw unknownPath();
  return info;
}

function keyOf(info: KindInfo, request: FastifyRequest): Key {
  const { name } = request.params as { name: string };
  return { kind: info.kind, name };
}

function existing({ store }: ApiDeps, info: KindInfo, key: Key): Resource {
  const object = store.get(key);
  if (object === undefined) throw notFound(info, key.name);
  return object;
}
