import type { AddressInfo } from 'node:net';
import http from 'node:http';
import type { Resource } from '../../../crds/meta';
import type { Status, Table, WatchEvent } from '../../../controller/api/wire/types';
import { conditions } from '../../helpers/memory-store';
import { createHarness, event, type Harness } from './harness';
import { Lines } from './lines';

const SANDBOXES = '/apis/berth.dev/v1alpha1/sandboxes?watch=1';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

let harness: Harness;
let port: number;
const open: { close(): void }[] = [];

beforeEach(async () => {
  harness = createHarness();
  await harness.app.listen({ host: '127.0.0.1', port: 0 });
  port = (harness.app.server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const lines of open.splice(0)) lines.close();
  await harness.app.close();
});

async function watch<Item = Resource>(
  path: string,
  headers: Record<string, string> = {},
): Promise<Lines<WatchEvent<Item>>> {
  const lines = await Lines.open<WatchEvent<Item>>({ port, path, headers });
  open.push(lines);
  return lines;
}

function brief({ type, object }: WatchEvent<Resource>): string {
  return `${type} ${object.metadata.name} ${object.metadata.resourceVersion}`;
}

describe('a watch', () => {
  it('without a revision begins with what there is and goes on with what happens', async () => {
    harness.store.put('Sandbox', 'main');
    harness.store.put('Session', 'other');
    const lines = await watch(SANDBOXES);
    expect(brief(await lines.next())).toBe('ADDED main 101');
    harness.store.put('Sandbox', 'web');
    harness.store.put('Session', 'other');
    harness.store.put('Sandbox', 'main', { labels: { a: 'b' } });
    harness.store.requestDeletion({ kind: 'Sandbox', name: 'web' });
    expect(brief(await lines.next())).toBe('ADDED web 103');
    expect(brief(await lines.next())).toBe('MODIFIED main 105');
    expect(brief(await lines.next())).toBe('MODIFIED web 106');
    expect(brief(await lines.next())).toBe('DELETED web 107');
  });

  it('from a revision begins with what has happened since', async () => {
    harness.store.put('Sandbox', 'main');
    const since = harness.store.revision();
    harness.store.put('Sandbox', 'web');
    harness.store.remove({ kind: 'Sandbox', name: 'main' });
    const lines = await watch(`${SANDBOXES}&resourceVersion=${since}`);
    expect(brief(await lines.next())).toBe('ADDED web 102');
    expect(brief(await lines.next())).toBe('DELETED main 103');
  });

  it('loses and repeats nothing between a list and itself', async () => {
    harness.store.put('Sandbox', 'main');
    const list = await harness.app.inject({ url: '/apis/berth.dev/v1alpha1/sandboxes' });
    const { resourceVersion } = list.json<{ metadata: { resourceVersion: string } }>().metadata;
    const lines = await watch(`${SANDBOXES}&resourceVersion=${resourceVersion}`);
    harness.store.put('Sandbox', 'web');
    expect(brief(await lines.next())).toBe('ADDED web 102');
  });

  it.each(['99', '101'])('from revision %s, which is not known, is gone', async (version) => {
    const answer = await harness.app.inject({ url: `${SANDBOXES}&resourceVersion=${version}` });
    expect(answer.statusCode).toBe(410);
    expect(answer.json<Status>()).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
  });

  it('from a revision that has left the window is gone, and from one inside it is not', async () => {
    for (let count = 0; count < 2001; count += 1) harness.store.put('Sandbox', 'main');
    expect((await harness.app.inject({ url: `${SANDBOXES}&resourceVersion=100` })).statusCode).toBe(410);
    const lines = await watch(`${SANDBOXES}&resourceVersion=101`);
    expect(brief(await lines.next())).toBe('MODIFIED main 102');
  });

  it('through a selector shows what enters and leaves the selection', async () => {
    const lines = await watch(`${SANDBOXES}&labelSelector=team%3Dshop&resourceVersion=100`);
    harness.store.put('Sandbox', 'main', { labels: { team: 'infra' } });
    harness.store.put('Sandbox', 'main', { labels: { team: 'shop' } });
    harness.store.put('Sandbox', 'main', { labels: { team: 'shop', more: 'x' } });
    harness.store.put('Sandbox', 'main', { labels: { team: 'infra' } });
    harness.store.put('Sandbox', 'main', { labels: { team: 'shop' } });
    harness.store.remove({ kind: 'Sandbox', name: 'main' });
    const seen = [];
    for (let count = 0; count < 5; count += 1) seen.push(brief(await lines.next()));
    expect(seen).toEqual([
      'ADDED main 102',
      'MODIFIED main 103',
      'DELETED main 104',
      'ADDED main 105',
      'DELETED main 106',
    ]);
  });

  it('of one name shows that object alone', async () => {
    const lines = await watch(`${SANDBOXES}&fieldSelector=metadata.name%3Dweb`);
    harness.store.put('Sandbox', 'main');
    harness.store.put('Sandbox', 'web');
    expect(brief(await lines.next())).toBe('ADDED web 102');
  });

  it('as a table defines its columns in the first line only', async () => {
    harness.store.put('Sandbox', 'main', { status: conditions({ Ready: 'False ImageNotFound' }) });
    const lines = await watch<Table>(SANDBOXES, TABLE);
    const first = (await lines.next()).object;
    expect(first.columnDefinitions.map(({ name }) => name)).toContain('Status');
    expect(first.rows[0]?.cells.slice(0, 4)).toEqual(['main', '<none>', 'ImageNotFound', 'False']);
    harness.store.put('Sandbox', 'main', { status: conditions({ Ready: 'True Ready' }) });
    const second = await lines.next();
    expect(second).toMatchObject({ type: 'MODIFIED', object: { kind: 'Table', columnDefinitions: [] } });
    expect(second.object.rows[0]?.cells.slice(0, 4)).toEqual(['main', '<none>', 'Ready', 'True']);
  });

  it('sends bookmarks to who asked for them', async () => {
    const lines = await watch(`${SANDBOXES}&allowWatchBookmarks=true`);
    harness.store.put('Session', 'other');
    harness.clock.advance(60_000);
    expect(await lines.next()).toEqual({
      type: 'BOOKMARK',
      object: { apiVersion: 'berth.dev/v1alpha1', kind: 'Sandbox', metadata: { resourceVersion: '101' } },
    });
  });

  it('ends when its time is over, and leaves no timer behind', async () => {
    const lines = await watch(`${SANDBOXES}&timeoutSeconds=30&allowWatchBookmarks=1`);
    expect(harness.clock.pending()).toBe(2);
    harness.clock.advance(30_000);
    await lines.ended;
    expect(harness.clock.pending()).toBe(0);
  });

  it('that the client leaves is forgotten', async () => {
    const lines = await watch(`${SANDBOXES}&timeoutSeconds=30`);
    expect(harness.clock.pending()).toBe(1);
    lines.close();
    await until(() => harness.clock.pending() === 0);
  });

  it('ends when the server closes, which does not wait for it', async () => {
    const lines = await watch(SANDBOXES);
    await harness.app.close();
    await lines.ended;
  });
});

describe('a watch whose client does not read', () => {
  /** Changes a large object until the server has set the timer that it gives a dropped client; MB sent until then. */
  async function fallBehind(): Promise<{ response: http.IncomingMessage; sent: number }> {
    const request = http.get({ host: '127.0.0.1', port, path: SANDBOXES });
    const response = await new Promise<http.IncomingMessage>((resolve) => request.on('response', resolve));
    response.pause();
    const spec = { filler: 'x'.repeat(100_000) };
    let sent = 0;
    for (; harness.clock.pending() === 0; sent += 0.1) {
      harness.store.put('Sandbox', 'main', { spec });
      await new Promise(setImmediate);
    }
    return { response, sent };
  }

  it('is dropped with a reason, after what the kernel buffers and one megabyte more', async () => {
    const { response, sent } = await fallBehind();
    expect(sent).toBeLessThan(20);
    for (let count = 0; count < 10; count += 1) harness.store.put('Sandbox', 'late');
    const lines = (await readAll(response)).trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as WatchEvent<Status>;
    expect(last).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    expect(lines.slice(0, -1).map((line) => (JSON.parse(line) as WatchEvent).type)).not.toContain('ERROR');
    await until(() => harness.clock.pending() === 0);
  });

  it('is cut off when it does not read that either', async () => {
    const { response } = await fallBehind();
    harness.clock.advance(10_000);
    await expect(readAll(response)).rejects.toThrow('aborted');
  });
});

describe('a watch of events', () => {
  it('begins with what was recorded and goes on with what is', async () => {
    harness.events.add(event());
    const lines = await watch<{ reason: string; count: number }>('/api/v1/events?watch=1');
    expect(await lines.next()).toMatchObject({ type: 'ADDED', object: { reason: 'Created', count: 1 } });
    harness.events.add(event({ reason: 'Started' }));
    expect(await lines.next()).toMatchObject({ type: 'ADDED', object: { reason: 'Started' } });
    lines.close();
    await until(() => harness.events.subscribers() === 0);
  });

  it('from a version shows repeats as changes, of the object that was asked for', async () => {
    harness.events.add(event());
    const { metadata } = (await harness.app.inject({ url: '/api/v1/events' })).json<{
      metadata: { resourceVersion: string };
    }>();
    const query = `watch=1&fieldSelector=involvedObject.name%3Dmain&resourceVersion=${metadata.resourceVersion}`;
    const lines = await watch<{ count: number }>(`/api/v1/events?${query}`);
    harness.events.add(event({ regarding: { kind: 'Sandbox', name: 'web', uid: 'uid-2' } }));
    harness.events.add(event({ count: 2, lastTimestamp: '2026-01-01T00:04:00.000Z' }));
    expect(await lines.next()).toMatchObject({ type: 'MODIFIED', object: { count: 2 } });
  });
});

async function readAll(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Waits for a state of the world, without guessing how long that takes. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
