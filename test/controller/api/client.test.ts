import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { type ApiClient, createClient, NotRunningError, StatusError } from '../../../controller/api/client';
import type { Resource } from '../../../crds/meta';
import type { List, WatchEvent } from '../../../controller/api/wire/types';
import { createHarness, type Harness } from './harness';

const SANDBOXES = '/apis/berth.dev/v1alpha1/sandboxes';

let directory: string;
let socketPath: string;
let harness: Harness;
let warned: string[];
let client: ApiClient;

beforeEach(async () => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'berth-client-'));
  socketPath = path.join(directory, 's');
  harness = createHarness();
  await harness.app.listen({ path: socketPath });
  warned = [];
  client = createClient({ socketPath, warn: (text) => warned.push(text) });
});
afterEach(async () => {
  await harness.app.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Serves one answer on the socket in place of the API. */
async function instead(listener: http.RequestListener): Promise<() => Promise<void>> {
  await harness.app.close();
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
}

describe('the client', () => {
  it('reads, changes and deletes', async () => {
    harness.store.put('Sandbox', 'main');
    const { items } = await client.send<List<Resource>>({
      path: SANDBOXES,
      query: { fieldSelector: 'metadata.name=main' },
    });
    expect(items).toHaveLength(1);
    const body = { metadata: { annotations: { 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' } } };
    const patched = await client.send<Resource>({ method: 'PATCH', path: `${SANDBOXES}/main`, body });
    expect(patched.metadata.annotations).toEqual({ 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' });
    await client.send({ method: 'DELETE', path: `${SANDBOXES}/main`, body: { kind: 'DeleteOptions' } });
    expect(harness.store.list('Sandbox')).toEqual([]);
  });

  it('throws the refusal of the server', async () => {
    const error: unknown = await client.send({ path: `${SANDBOXES}/nope` }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StatusError);
    expect((error as StatusError).status).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('hands over warnings as they were meant, also with a refusal', async () => {
    const place = { path: '/m/größe 漢字.yaml', line: 7, column: 3 };
    harness.store.setProblems([{ ...place, reason: 'InvalidYaml', message: 'bad "a\\b"' }]);
    await client.send({ path: SANDBOXES });
    await client.send({ path: `${SANDBOXES}/nope` }).catch(() => undefined);
    expect(warned).toEqual(Array.from({ length: 2 }, () => '/m/größe 漢字.yaml:7:3: bad "a\\b"'));
  });

  it('watches until it is told to stop', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type, object } of client.watch<Resource>(
        { path: SANDBOXES, query: { watch: '1' } },
        stop.signal,
      )) {
        seen.push(`${type} ${object.metadata.name}`);
        if (seen.length === 2) stop.abort();
      }
    })();
    harness.store.put('Sandbox', 'main');
    harness.store.put('Sandbox', 'zöpfe');
    await watching;
    expect(seen).toEqual(['ADDED main', 'ADDED zöpfe']);
  });

  it('throws when a watch begins where nothing is known, and when it is cut with a reason', async () => {
    const signal = new AbortController().signal;
    const watch = client.watch({ path: SANDBOXES, query: { watch: '1', resourceVersion: '5' } }, signal);
    await expect(drain(watch)).rejects.toMatchObject({ status: { code: 410 } });
    const close = await instead((_request, response) => {
      response.end(
        '{"type":"ADDED","object":{}}\n{"type":"ERROR","object":{"kind":"Status","code":410,"message":"late"}}\n',
      );
    });
    await expect(drain(client.watch({ path: SANDBOXES }, signal))).rejects.toMatchObject({ message: 'late' });
    await close();
  });
});

async function drain(events: AsyncIterable<WatchEvent>): Promise<WatchEvent[]> {
  const seen: WatchEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe('a controller that is not there', () => {
  it('was never started, or has left its socket behind', async () => {
    await harness.app.close();
    await expect(client.send({ path: SANDBOXES })).rejects.toThrow(NotRunningError);
  });

  it('goes away before it has answered', async () => {
    const close = await instead((request) => request.socket.destroy());
    await expect(client.send({ path: SANDBOXES })).rejects.toThrow(NotRunningError);
    await close();
  });

  it('goes away in the middle of its answer', async () => {
    const close = await instead((request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"items":');
      setImmediate(() => request.socket.destroy());
    });
    await expect(client.send({ path: SANDBOXES })).rejects.toThrow(NotRunningError);
    await close();
  });

  it('is about to end', async () => {
    const close = await instead((_request, response) => {
      response.writeHead(503).end('{}');
    });
    await expect(client.send({ path: SANDBOXES })).rejects.toThrow(NotRunningError);
    await close();
  });
});

describe('an answer that is none of ours', () => {
  it.each(['<html>', '{"error":"x"}', 'null'])('is told as it came: %s', async (text) => {
    const close = await instead((_request, response) => {
      response.writeHead(500).end(text);
    });
    await expect(client.send({ path: SANDBOXES })).rejects.toThrow(`the server answered 500: ${text}`);
    await close();
  });
});
