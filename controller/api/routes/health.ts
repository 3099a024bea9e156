import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps';
import { STATUS_PATH } from '../wire/types';

/** Whether and which controller this is: for probes, for kubectl, and for `ctl controller`. */
export function healthRoutes(app: FastifyInstance, { version, status }: ApiDeps): void {
  const ok = (): string => 'ok';
  app.get('/healthz', ok);
  app.get('/livez', ok);
  app.get('/readyz', (_request, reply) => (status().ready ? 'ok' : reply.code(503).send('manifests are not read yet')));
  app.get(STATUS_PATH, status);
  app.get('/version', () => versionInfo(version));
}

/** The shape of k8s.io/apimachinery/pkg/version.Info; `gitVersion` is what kubectl prints. */
function versionInfo(version: string): object {
  const [major = '0', minor = '0'] = version.split('.');
  return { major, minor, gitVersion: `v${version}`, platform: `${process.platform}/${process.arch}` };
}
