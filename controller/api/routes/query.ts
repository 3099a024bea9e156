import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors';

/** The query parameters that Berth reads; others are accepted and change nothing, as in Kubernetes. */
export interface Query {
  readonly watch: boolean;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly includeObject: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly allowBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
  readonly dryRun: boolean;
}

export function parseQuery(request: FastifyRequest): Query {
  const raw = request.query as Readonly<Record<string, string | string[] | undefined>>;
  const text = (name: string): string | undefined => {
    const value = raw[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    watch: isOn(text('watch')),
    labelSelector: text('labelSelector') ?? '',
    fieldSelector: text('fieldSelector') ?? '',
    includeObject: text('includeObject'),
    resourceVersion: text('resourceVersion'),
    allowBookmarks: isOn(text('allowWatchBookmarks')),
    timeoutSeconds: parseSeconds(text('timeoutSeconds')),
    dryRun: text('dryRun') === 'All',
  };
}

/** Undefined when none was given or it is 0: both mean "from now, with what there is". */
export function parseRevision(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text === '0') return undefined;
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`invalid resource version: ${JSON.stringify(text)}`);
  return Number(text);
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text === '0') return undefined;
  if (!/^\d{1,6}$/.test(text)) throw badRequest(`timeoutSeconds must be a whole number of seconds`);
  return Number(text);
}

function isOn(text: string | undefined): boolean {
  return text !== undefined && ['1', 'true', ''].includes(text.toLowerCase());
}
