import type { Readable } from 'node:stream';
import type { ContainerHint } from '../runtime';
import { DEADLINE_MS, type Call, type EngineClient } from './client';
import { fromEngine } from './errors';
import { jsonLines } from './json-lines';
import { isRecord } from './replies';

/**
 * What happens to a container as such, in the words of both engines. What happens inside it (exec, attach, health) is
 * left out: looking at a container must never be a reason to look again.
 */
const LIFECYCLE = [
  'create',
  'start',
  'die',
  'died',
  'stop',
  'kill',
  'oom',
  'pause',
  'unpause',
  'restart',
  'rename',
  'update',
  'destroy',
  'remove',
];

/** Attributes that an event has beside the container's labels. */
const NO_LABELS = new Set(['name', 'image', 'exitCode', 'containerExitCode', 'signal', 'podId', 'oldName']);

export async function engineChanges(
  client: EngineClient,
  labels: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<AsyncIterable<ContainerHint>> {
  const about: Call = { operation: 'watching containers', deadlineMs: DEADLINE_MS.query, signal };
  const stop = new AbortController();
  // The call's own signal ends the request when subscribing takes too long; afterwards the stream is the caller's.
  const stream = await client.call(about, async (subscribing) => {
    const abort = (): void => {
      stop.abort();
    };
    subscribing.addEventListener('abort', abort, { once: true });
    const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const filters = { type: ['container' as const], event: LIFECYCLE, label };
    const events = await client.docker.getEvents({ filters, abortSignal: stop.signal });
    subscribing.removeEventListener('abort', abort);
    return events as unknown as Readable;
  });
  // Aborting makes the stream fail even when nobody reads it yet; that is no news to anyone.
  stream.on('error', () => undefined);
  return hints({ client, stream, signal, about, labels });
}

interface Subscription {
  readonly client: EngineClient;
  readonly stream: Readable;
  readonly signal: AbortSignal;
  readonly about: Call;
  readonly labels: Readonly<Record<string, string>>;
}

function hints({ client, stream, signal, about, labels }: Subscription): AsyncIterable<ContainerHint> {
  const destroy = (): void => {
    stream.destroy();
  };
  signal.addEventListener('abort', destroy, { once: true });
  if (signal.aborted) destroy();
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const event of jsonLines(stream)) {
          const hint = mapEvent(event);
          // Podman takes several labels for alternatives.
          if (hint && hasLabels(hint, labels)) yield hint;
        }
      } catch (error) {
        if (!signal.aborted) throw fromEngine(error, about, client.identity);
      } finally {
        signal.removeEventListener('abort', destroy);
        destroy();
      }
    },
  };
}

function hasLabels(hint: ContainerHint, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([key, value]) => hint.labels[key] === value);
}

/** The container that an event is about; undefined for what is no container's lifecycle, whoever filtered. */
export function mapEvent(event: unknown): ContainerHint | undefined {
  if (!isRecord(event) || event.Type !== 'container' || !isRecord(event.Actor)) return undefined;
  if (typeof event.Action !== 'string' || !LIFECYCLE.includes(event.Action)) return undefined;
  const attributes = isRecord(event.Actor.Attributes) ? event.Actor.Attributes : {};
  const labels = Object.entries(attributes).filter(([key]) => !NO_LABELS.has(key));
  return {
    name: typeof attributes.name === 'string' ? attributes.name : '',
    labels: Object.fromEntries(labels.map(([key, value]) => [key, String(value)])),
  };
}
