import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { ChangeWindow } from './change-window';
import { StateStoreError } from '../state/db';
import type { ApiDeps, ApiOptions } from './deps';
import { ApiError, failure, methodNotAllowed, unknownPath, unsupportedMediaType } from './errors';
import { discoveryRoutes } from './routes/discovery';
import { eventRoutes } from './routes/events';
import { healthRoutes } from './routes/health';
import { resourceRoutes } from './routes/resources';
import type { Status } from './wire/types';

export type { ApiOptions } from './deps';

const MAX_BODY_BYTES = 256 * 1024;
const MERGE_PATCH = 'application/merge-patch+json';

/**
 * The controller's HTTP API, in the wire shape of Kubernetes so that kubectl works with it. It listens nowhere yet: the
 * caller does that, on a socket that only the user may open, since whoever can connect may delete.
 */
export function createApi(options: ApiOptions): FastifyInstance {
  const deps: ApiDeps = { ...options, changes: new ChangeWindow(options.store), watches: new Set() };
  const app = fastify({ bodyLimit: MAX_BODY_BYTES, exposeHeadRoutes: false, forceCloseConnections: 'idle' });
  acceptBodies(app);
  answerErrors(app, options, readablePaths(app));
  discoveryRoutes(app);
  healthRoutes(app, deps);
  eventRoutes(app, deps);
  resourceRoutes(app, deps);
  // Node joins headers to a body that is a string and writes both as UTF-8; a buffer leaves the header's bytes alone.
  app.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, typeof payload === 'string' ? Buffer.from(payload) : payload);
  });
  app.addHook('preClose', (done) => {
    for (const watch of [...deps.watches]) watch.end();
    deps.changes.close();
    done();
  });
  return app;
}

/** A DELETE may bring options and a PATCH must be a merge patch; an empty body is no body. */
function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', MERGE_PATCH], { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(new ApiError(400, 'BadRequest', 'the body of the request is not JSON'));
    }
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim();
    done(request.method === 'PATCH' && type !== MERGE_PATCH ? unsupportedMediaType(MERGE_PATCH) : undefined);
  });
}

/** Fills up as routes are added: what can be read and nothing else answers other methods with 405, not 404. */
function readablePaths(app: FastifyInstance): ReadonlySet<string> {
  const paths = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    paths.add(url);
  });
  return paths;
}

function answerErrors(app: FastifyInstance, { log }: ApiOptions, readable: ReadonlySet<string>): void {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    const status = error instanceof ApiError ? error.status : statusOf(error);
    if (status.code >= 500) log.error({ err: error, method: request.method, url: request.url }, 'request failed');
    return reply.code(status.code).send(status);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const error = readable.has(path) ? otherMethod(request.method) : unknownPath();
    return reply.code(error.status.code).send(error.status);
  });
}

function otherMethod(method: string): ApiError {
  return methodNotAllowed(`the server does not allow ${method} on the requested resource`);
}

/** Fastify's own refusals, in our words; anything else is a defect and is logged. */
function statusOf(error: FastifyError): Status {
  switch (error.statusCode) {
    case 413:
      return failure(413, 'RequestEntityTooLarge', `the body of the request is larger than ${MAX_BODY_BYTES} bytes`);
    case 415:
      return unsupportedMediaType(`application/json or ${MERGE_PATCH}`).status;
    case 400:
    case 414:
      return failure(400, 'BadRequest', error.message);
    default:
      if (error instanceof StateStoreError) return failure(500, 'InternalError', error.message);
      return failure(500, 'InternalError', 'an internal error occurred; the log of the controller says more');
  }
}
