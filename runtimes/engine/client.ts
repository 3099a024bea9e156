import Docker from 'dockerode';
import { setMaxListeners } from 'node:events';
import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { RuntimeError, timedOut } from '../errors';
import type { CallOptions } from '../runtime';
import type { Endpoint } from './endpoint';
import { isRecord } from './replies';
import { fromEngine, type CallContext, type EngineIdentity } from './errors';

/** The part of a clock that deadlines and polling need: calls `run` once after the delay, unless forgotten before. */
export interface Timers {
  after(delayMs: number, run: () => void): () => void;
}

/** Milliseconds after which a call is given up, by what it does. An engine under load takes seconds, not minutes. */
export const DEADLINE_MS = {
  query: 15_000,
  change: 60_000,
  run: 600_000,
  transfer: 3_600_000,
} as const;

const POLL_MS = 50;

export interface Call extends CallContext, CallOptions {
  readonly deadlineMs: number;
}

/** One engine's API. Each request is a connection of its own, so nothing is kept open and nothing needs closing. */
export class EngineClient {
  readonly docker: Docker;

  constructor(
    readonly identity: EngineIdentity,
    endpoint: Endpoint,
    readonly timers: Timers,
  ) {
    // Named in full: dockerode would fill in what is missing from the environment.
    const target =
      endpoint.type === 'unix'
        ? { socketPath: endpoint.path, host: undefined, port: undefined }
        : { socketPath: undefined, host: endpoint.host, port: endpoint.port };
    const agent = opaque(new Agent({ keepAlive: false }));
    const options = { ...target, protocol: 'http' as const, agent };
    this.docker = new Docker(options);
  }

  /** Runs one call under its deadline and the caller's signal; whatever goes wrong is thrown as a `RuntimeError`. */
  async call<T>(call: Call, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (call.signal?.aborted) throw timedOut(call.operation, call.signal.reason);
    const stop = new AbortController();
    // A list looks at each of its containers, and every request listens to the signal.
    setMaxListeners(0, opaque(stop.signal));
    const abort = (): void => {
      stop.abort();
    };
    call.signal?.addEventListener('abort', abort, { once: true });
    const forget = this.timers.after(call.deadlineMs, abort);
    try {
      return await run(stop.signal);
    } catch (error) {
      if (stop.signal.aborted && !(error instanceof RuntimeError)) throw timedOut(call.operation, error);
      throw fromEngine(error, call, this.identity);
    } finally {
      forget();
      call.signal?.removeEventListener('abort', abort);
    }
  }

  /** A plain request, for where dockerode takes no signal. The reply is an object, whatever is in it. */
  get(path: string, abortSignal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    return new Promise((resolve, reject) => {
      this.docker.modem.dial({ path, method: 'GET', abortSignal, statusCodes: { 200: true } }, (error, reply) => {
        if (error) reject(error);
        else resolve(isRecord(reply) ? reply : {});
      });
    });
  }

  /** Asks again and again until the answer is yes; ends with the signal. */
  async until(signal: AbortSignal, holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) {
      await this.#pause(signal);
      signal.throwIfAborted();
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        forget();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const forget = this.timers.after(POLL_MS, done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

/**
 * The modem prints all its options in full for a debug log, on or off. What leads to every open connection would make
 * that a second of work under load.
 */
function opaque<T extends object>(value: T): T {
  return Object.defineProperty(value, inspect.custom, { value: () => '[opaque]' });
}

/** The HTTP status of a failed request, if that is what the error is. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/** Resolves to undefined where the status says that there is nothing to do. */
export async function unless<T>(statuses: readonly number[], request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    const status = statusOf(error);
    if (status !== undefined && statuses.includes(status)) return undefined;
    throw error;
  }
}
