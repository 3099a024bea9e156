import http from 'node:http';
import type { Status, WatchEvent } from './wire/types';

export interface ApiRequest {
  readonly method?: 'GET' | 'DELETE' | 'PATCH';
  readonly path: string;
  /** Empty and undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
  readonly body?: object;
}

/** The API as ctl uses it. Refusals throw a `StatusError`, an absent controller a `NotRunningError`. */
export interface ApiClient {
  send<Body>(request: ApiRequest): Promise<Body>;
  /** The lines of a watch, until either side ends it (ours by the signal); an ERROR line throws its Status. */
  watch<Item>(request: ApiRequest, signal: AbortSignal): AsyncIterable<WatchEvent<Item>>;
}

export interface ClientOptions {
  readonly socketPath: string;
  /** Called with the text of each Warning header. */
  readonly warn: (text: string) => void;
}

/** Nobody listens at the socket, or whoever did has gone before it answered. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError';
}

/** The server's refusal, whole. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? `the server answered ${status.code}`);
    this.status = status;
  }
}

/** A controller that holds its socket but does not answer is stuck; a person should hear that and not wait. */
const ANSWER_TIMEOUT_MS = 30_000;

/** The last three: where the socket is looked for there can be none. */
const ABSENT = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** HTTP over the controller's unix socket: node's own client and nothing else, since every `ctl` pays for its loading. */
export function createClient(options: ClientOptions): ApiClient {
  return {
    send: async <Body>(request: ApiRequest): Promise<Body> => {
      const response = await open(options, request, { timeout: ANSWER_TIMEOUT_MS });
      return JSON.parse(await readAll(options, response)) as Body;
    },
    watch: <Item>(request: ApiRequest, signal: AbortSignal) => watchLines<Item>(options, request, signal),
  };
}

async function* watchLines<Item>(
  options: ClientOptions,
  request: ApiRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<Item>> {
  try {
    const response = await open(options, request, { signal });
    let rest = '';
    response.setEncoding('utf8');
    for await (const chunk of response) {
      const parts = `${rest}${chunk as string}`.split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) yield parseLine<Item>(part);
    }
  } catch (error) {
    if (!signal.aborted) throw asNotRunning(options, error);
  }
}

function parseLine<Item>(text: string): WatchEvent<Item> {
  const event = JSON.parse(text) as WatchEvent<Item>;
  if (event.type === 'ERROR') throw new StatusError(event.object as Status);
  return event;
}

function open(
  options: ClientOptions,
  request: ApiRequest,
  limits: { timeout?: number; signal?: AbortSignal },
): Promise<http.IncomingMessage> {
  const { socketPath, warn } = options;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return new Promise((resolve, reject) => {
    const { method = 'GET' } = request;
    // No pooled connections: one that the controller closed in the meantime would look like its end.
    const sent = http.request({
      agent: false,
      socketPath,
      method,
      path: target(request),
      headers: headersOf(request, body),
      ...limits,
    });
    sent.on('response', (response) => {
      warningsOf(response).forEach(warn);
      accepted(options, response).then(resolve, reject);
    });
    sent.on('timeout', () =>
      sent.destroy(new Error(`the controller did not answer within ${ANSWER_TIMEOUT_MS / 1000} s`)),
    );
    sent.on('error', (error) => {
      reject(asNotRunning(options, error));
    });
    sent.end(body);
  });
}

/** A server that is closing answers 503 to whoever was late: for the client it is gone. */
async function accepted(options: ClientOptions, response: http.IncomingMessage): Promise<http.IncomingMessage> {
  const { statusCode = 500 } = response;
  if (statusCode < 400) return response;
  if (statusCode === 503) throw new NotRunningError(options.socketPath);
  throw new StatusError(statusOf(response, await readAll(options, response)));
}

function asNotRunning({ socketPath }: ClientOptions, error: unknown): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ABSENT.includes(code) ? new NotRunningError(socketPath, { cause: error }) : (error as Error);
}

function target({ path, query = {} }: ApiRequest): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

function headersOf({ method, accept }: ApiRequest, body: string | undefined): http.OutgoingHttpHeaders {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return {
    host: 'localhost',
    accept: accept ?? 'application/json',
    ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
  };
}

/** The texts of `299 - "…"` headers; node hands header bytes over as latin1, and they are UTF-8. */
function warningsOf({ rawHeaders }: http.IncomingMessage): string[] {
  const values = rawHeaders.filter(
    (_value, index) => rawHeaders[index - 1]?.toLowerCase() === 'warning' && index % 2 === 1,
  );
  return values.flatMap((value) => {
    const [, quoted] = /^299 \S+ "(.*)"$/.exec(Buffer.from(value, 'latin1').toString('utf8')) ?? [];
    return quoted === undefined ? [] : [quoted.replace(/\\(.)/g, '$1')];
  });
}

async function readAll(options: ClientOptions, response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch (error) {
    throw asNotRunning(options, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function statusOf({ statusCode = 500 }: http.IncomingMessage, text: string): Status {
  try {
    const parsed = JSON.parse(text) as { kind?: string } | null;
    if (parsed?.kind === 'Status') return parsed as Status;
  } catch {
    // Not JSON: told below in the words of the answer.
  }
  const message = `the server answered ${statusCode}: ${text.slice(0, 200)}`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'InternalError',
    code: statusCode,
  };
}
