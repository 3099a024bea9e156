import { dockerDialect } from './docker/dialect';
import { candidates, isInstalled, socketState, type Candidate, type SocketState, type Surroundings } from './endpoints';
import type { Timers } from './engine/client';
import type { Dialect } from './engine/dialect';
import { createDriver } from './engine/driver';
import { RuntimeError } from './errors';
import { podmanDialect } from './podman/dialect';
import type { Runtime } from './runtime';

export interface RuntimeChoice extends Surroundings {
  /** As Settings name it. */
  readonly kind: string;
  /** As Settings name it; left out, the engine is looked for. */
  readonly endpoint?: string;
  /** For deadlines and polling; the controller's clock is one. */
  readonly clock: Timers;
  /** How sockets are looked at; tests say what is there. */
  readonly look?: (path: string) => SocketState;
}

const DIALECTS: Readonly<Record<string, Dialect>> = { Docker: dockerDialect, Podman: podmanDialect };

/**
 * A driver for the chosen engine. Asks the engine nothing: whether it answers is for `probe` to say. Throws a
 * `RuntimeError` that names every place looked at when no endpoint was named and none is found.
 */
export function createRuntime(choice: RuntimeChoice): Runtime {
  const dialect = DIALECTS[choice.kind];
  if (!dialect) throw unknownKind(choice.kind);
  const installed = (): boolean => isInstalled(dialect.command, choice.env);
  const endpoint = choice.endpoint || findEndpoint(dialect, choice, installed);
  return createDriver(dialect, { endpoint, timers: choice.clock, installed });
}

function findEndpoint(dialect: Dialect, choice: RuntimeChoice, installed: () => boolean): string {
  const look = choice.look ?? socketState;
  const tried = candidates(dialect.kind, choice).map((candidate) => ({
    ...candidate,
    state: candidate.named ? 'usable' : look(candidate.endpoint.slice('unix://'.length)),
  }));
  const usable = tried.find(({ state }) => state === 'usable');
  if (usable) return usable.endpoint;
  const denied = tried.filter(({ state }) => state === 'denied');
  if (denied.length > 0) throw notFound(dialect, 'PermissionDenied', denied);
  throw notFound(dialect, installed() ? 'NotRunning' : 'NotInstalled', tried);
}

const WHY = {
  PermissionDenied: 'may not be opened by this user',
  NotRunning: 'is not there',
  NotInstalled: 'is not there',
} as const;

function notFound(dialect: Dialect, cause: keyof typeof WHY, tried: readonly Candidate[]): RuntimeError {
  const lines = tried.map(({ endpoint, source }) => `${endpoint} (${source}) ${WHY[cause]}`);
  const slots = {
    runtime: dialect.kind,
    endpoint: tried.map(({ endpoint }) => endpoint).join(', '),
    // The message is one line; all that was tried is in the detail.
    ...(cause === 'PermissionDenied' ? { detail: lines[0] ?? '' } : {}),
  };
  return new RuntimeError({ code: 'Unavailable', failure: { cause, slots }, detail: lines.join('\n') });
}

function unknownKind(kind: string): RuntimeError {
  const known = Object.keys(DIALECTS).join(' and ');
  const detail = `the runtime kind ${JSON.stringify(kind)} has no driver; ${known} have`;
  return new RuntimeError({ code: 'InvalidSpec', failure: { cause: 'Unknown', slots: { detail } }, detail });
}
