import { RuntimeError } from '../errors';

export type Endpoint =
  | { readonly type: 'unix'; readonly path: string }
  | { readonly type: 'tcp'; readonly host: string; readonly port: number };

/** Reads `unix:///path`, `/path`, `tcp://host:port` or `http://host:port`; anything else is `InvalidSpec`. */
export function parseEndpoint(text: string): Endpoint {
  const url = text.startsWith('/') ? new URL(`unix://${text}`) : URL.canParse(text) ? new URL(text) : undefined;
  const endpoint = url && (socket(url) ?? network(url));
  if (endpoint) return endpoint;
  const detail = `the endpoint ${JSON.stringify(text)} is neither unix:///path nor tcp://host:port`;
  throw new RuntimeError({ code: 'InvalidSpec', failure: { cause: 'Unknown', slots: { detail } }, detail });
}

function socket({ protocol, pathname }: URL): Endpoint | undefined {
  if (protocol !== 'unix:' || !pathname.startsWith('/')) return undefined;
  return { type: 'unix', path: decodeURIComponent(pathname) };
}

function network({ protocol, hostname, port }: URL): Endpoint | undefined {
  if (!['tcp:', 'http:'].includes(protocol) || hostname === '') return undefined;
  return { type: 'tcp', host: hostname, port: port === '' ? 2375 : Number(port) };
}
