import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RuntimeError } from '../errors';
import type { ImageApi, ImageState, PullProgress } from '../runtime';
import { DEADLINE_MS, unless, type EngineClient } from './client';
import { jsonLines } from './json-lines';
import { withDigest } from './map-inspect';
import { PullTally } from './pull-tally';
import { isRecord, strings } from './replies';

export function engineImages(client: EngineClient): ImageApi {
  return {
    find: (reference, options) =>
      client.call(
        { ...options, operation: 'looking for the image', image: reference, deadlineMs: DEADLINE_MS.query },
        (signal) => find(client, reference, signal),
      ),
    pull: (reference, options = {}) => {
      const about = { operation: 'fetching the image', image: reference, pulling: true };
      return client.call({ ...options, ...about, deadlineMs: DEADLINE_MS.transfer }, (signal) =>
        pull(client, reference, { signal, onProgress: options.onProgress }),
      );
    },
    load: (archivePath, options) => {
      const about = { operation: 'loading the image archive', image: archivePath, pulling: true };
      return client.call({ ...options, ...about, deadlineMs: DEADLINE_MS.transfer }, (signal) =>
        load(client, archivePath, signal),
      );
    },
  };
}

async function find(
  client: EngineClient,
  reference: string,
  abortSignal: AbortSignal,
): Promise<ImageState | undefined> {
  const reply = await unless([404], client.get(`/images/${reference}/json`, abortSignal));
  if (!reply) return undefined;
  const config: { Labels?: unknown; Env?: unknown } = isRecord(reply.Config) ? reply.Config : {};
  const labels = isRecord(config.Labels) ? Object.entries(config.Labels) : [];
  const environment = strings(config.Env).map((entry): [string, string] => {
    const [name = '', ...value] = entry.split('=');
    return [name, value.join('=')];
  });
  return {
    id: withDigest(String(reply.Id)),
    labels: Object.fromEntries(labels.map(([key, value]) => [key, String(value)])),
    environment: Object.fromEntries(environment),
  };
}

interface PullOptions {
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: PullProgress) => void) | undefined;
}

async function pull(client: EngineClient, reference: string, { signal, onProgress }: PullOptions): Promise<void> {
  const stream = await client.docker.pull(withTag(reference), { abortSignal: signal });
  const tally = new PullTally();
  for await (const event of jsonLines(stream as unknown as Readable)) {
    throwIfError(event);
    const progress = tally.add(event);
    if (progress) onProgress?.(progress);
  }
  signal.throwIfAborted();
}

/** Without a tag the API would fetch every tag there is. */
export function withTag(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return name.includes(':') || name.includes('@') ? reference : `${reference}:latest`;
}

/** A failure comes as a line of a stream that began with 200. */
function throwIfError(event: unknown): void {
  if (!isRecord(event)) return;
  const { error, errorDetail } = event;
  const detail = isRecord(errorDetail) ? errorDetail.message : undefined;
  const message = typeof detail === 'string' ? detail : error;
  if (typeof message === 'string') throw Object.assign(new Error(message), { statusCode: 500 });
}

async function load(client: EngineClient, archivePath: string, signal: AbortSignal): Promise<readonly string[]> {
  const file = await openArchive(archivePath);
  const archive = file.createReadStream();
  try {
    const reply = await client.docker.loadImage(archive, { abortSignal: signal });
    const references: string[] = [];
    for await (const event of jsonLines(reply as unknown as Readable)) {
      throwIfError(event);
      references.push(...loaded(event));
    }
    return references;
  } finally {
    archive.destroy();
  }
}

async function openArchive(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    // Whatever else is there would be waited for, by one of the few threads that all files of the program are read by.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new Error(`${path} is no regular file`);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const failure = { cause: 'ImagePullFailed', slots: { reference: path, detail } } as const;
    throw new RuntimeError({ code: 'InvalidSpec', failure, detail, cause: error });
  }
}

/** `Loaded image: name:tag` or `Loaded image ID: sha256:…`; several may stand in one line, separated by commas. */
function loaded(event: unknown): string[] {
  const line = isRecord(event) && typeof event.stream === 'string' ? event.stream : '';
  const names = /^Loaded image(?:\(s\)| ID)?: (.*)/.exec(line)?.[1] ?? '';
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
