import { stat } from 'node:fs/promises';
import { containerNotFound, mountRejected } from '../errors';
import type { ContainerApi, ContainerSpec, ContainerState, PresentContainer } from '../runtime';
import { DEADLINE_MS, unless, type EngineClient } from './client';
import { describeReply } from './error-text';
import { mapInspect } from './map-inspect';
import { mapSpec } from './map-spec';

/** Stopping waits for the process; the engine answers only then. */
const STOP_MARGIN_MS = 15_000;

export function engineContainers(client: EngineClient): ContainerApi {
  const change = { deadlineMs: DEADLINE_MS.change } as const;
  const query = { deadlineMs: DEADLINE_MS.query } as const;
  return {
    observe: (ref, options) =>
      client.call({ ...query, ...options, operation: 'looking at the container', container: ref }, (signal) =>
        inspect(client, ref, signal),
      ),
    list: (labels, options) =>
      client.call({ ...query, ...options, operation: 'listing containers' }, (signal) => list(client, labels, signal)),
    create: (spec, options) => {
      const sources = bindSources(spec);
      const about = { operation: 'creating the container', container: spec.name, image: spec.imageId, sources };
      return client.call({ ...change, ...options, ...about }, (abortSignal) => create(client, spec, abortSignal));
    },
    start: (id, options) =>
      client.call({ ...change, ...options, operation: 'starting the container', container: id }, (signal) =>
        start(client, id, signal),
      ),
    stop: (id, { graceMs, signal }) => {
      const about = { operation: 'stopping the container', container: id, deadlineMs: graceMs + STOP_MARGIN_MS };
      const t = Math.ceil(graceMs / 1000);
      return client.call({ ...about, ...(signal ? { signal } : {}) }, (abortSignal) =>
        stop(client, id, { t, abortSignal }),
      );
    },
    remove: (id, options) =>
      client.call({ ...change, ...options, operation: 'removing the container', container: id }, (signal) =>
        remove(client, id, signal),
      ),
  };
}

function bindSources(spec: ContainerSpec): string[] {
  return spec.mounts.filter(({ type }) => type === 'bind').map(({ source }) => source);
}

async function inspect(client: EngineClient, ref: string, abortSignal: AbortSignal): Promise<ContainerState> {
  const reply = await unless([404], client.docker.getContainer(ref).inspect({ abortSignal }));
  if (!reply) return { present: false };
  const container = mapInspect(reply, client.identity.dialect);
  // Engines also find by the beginning of an id, which is some other container.
  return container.name === ref || container.id === ref ? container : { present: false };
}

async function list(
  client: EngineClient,
  labels: Readonly<Record<string, string>>,
  abortSignal: AbortSignal,
): Promise<readonly PresentContainer[]> {
  const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const found = await client.docker.listContainers({ all: true, filters: { label }, abortSignal });
  // The list says too little; one that goes in between is simply no longer there.
  const states = await Promise.all(found.map(({ Id }) => inspect(client, Id, abortSignal)));
  return states.filter((state) => state.present);
}

async function create(client: EngineClient, spec: ContainerSpec, abortSignal: AbortSignal): Promise<string> {
  const { dialect } = client.identity;
  if (dialect.createsMissingSources) await requireSources(bindSources(spec));
  const created = await client.docker.createContainer({ ...mapSpec(spec, dialect), abortSignal });
  return created.id;
}

async function start(client: EngineClient, id: string, abortSignal: AbortSignal): Promise<void> {
  try {
    await unless([304], client.docker.getContainer(id).start({ abortSignal }));
  } catch (error) {
    // A source that went after the create is reported in the low-level runtime's words, or in none at all.
    const state = await inspect(client, id, abortSignal);
    if (!state.present) throw containerNotFound(id, 'there is no such container', error);
    await requireSources((state.facts.mounts ?? []).filter(({ type }) => type === 'bind').map(({ source }) => source));
    throw error;
  }
}

/** Docker stops a paused container, and lets it go on for that. Podman refuses ("in state paused"). */
async function stop(client: EngineClient, id: string, how: { t: number; abortSignal: AbortSignal }): Promise<void> {
  const container = client.docker.getContainer(id);
  try {
    await unless([304, 404], container.stop(how));
  } catch (error) {
    const state = await inspect(client, id, how.abortSignal);
    if (!state.present || !state.paused) throw error;
    await unless([404], container.unpause({ abortSignal: how.abortSignal }));
    await unless([304, 404], container.stop(how));
  }
}

async function remove(client: EngineClient, id: string, abortSignal: AbortSignal): Promise<void> {
  try {
    await unless([404], client.docker.getContainer(id).remove({ force: true, v: true, abortSignal }));
  } catch (error) {
    // Someone else is at it already; the name is free when they are done.
    if (!/already in progress/.test(describeReply(error).text)) throw error;
  }
  await client.until(abortSignal, async () => !(await inspect(client, id, abortSignal)).present);
}

/** Throws for the first source that is surely not there; one that can't be looked at is left to the engine. */
async function requireSources(sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    if (await isMissing(source)) throw mountRejected(source, `bind source path does not exist: ${source}`);
  }
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}
