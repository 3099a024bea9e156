import type { FastifyInstance } from 'fastify';
import { API_GROUP, API_VERSION } from '../../../crds/meta';
import { EVENTS, type KindInfo, RESOURCES, type ResourceInfo } from '../wire/resources';

const [, VERSION = ''] = API_VERSION.split('/');

/** What kubectl asks first: which groups, versions and resource types there are (meta/v1 discovery). */
export function discoveryRoutes(app: FastifyInstance): void {
  app.get('/api', () => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }));
  app.get('/api/v1', () => resourceList('v1', [coreEvents()]));
  app.get('/apis', () => ({ kind: 'APIGroupList', apiVersion: 'v1', groups: [group()] }));
  app.get(`/apis/${API_GROUP}`, () => ({ kind: 'APIGroup', apiVersion: 'v1', ...group() }));
  app.get(`/apis/${API_VERSION}`, () => resourceList(API_VERSION, RESOURCES.map(ours)));
}

function group(): object {
  const version = { groupVersion: API_VERSION, version: VERSION };
  return { name: API_GROUP, versions: [version], preferredVersion: version };
}

function resourceList(groupVersion: string, resources: readonly object[]): object {
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function ours(info: KindInfo): object {
  return {
    ...described(info),
    namespaced: false,
    verbs: ['delete', 'get', 'list', 'patch', 'watch'],
    categories: info.categories,
  };
}

function coreEvents(): object {
  return { ...described(EVENTS), namespaced: true, verbs: ['get', 'list', 'watch'] };
}

function described({ plural, singular, kind, shortNames }: ResourceInfo): object {
  return { name: plural, singularName: singular, kind, shortNames };
}
