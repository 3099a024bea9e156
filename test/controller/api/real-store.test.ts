import { createApi } from '../../../controller/api/server';
import type { WatchEvent } from '../../../controller/api/wire/types';
import { EventRecorder } from '../../../controller/events';
import { silentLog } from '../../../controller/log';
import { openDatabase } from '../../../controller/state/database';
import { SqliteObjectStore } from '../../../controller/state/object-store';
import type { ManifestState } from '../../../controller/store';
import { KINDS, type Resource } from '../../../crds/meta';
import { FakeClock } from '../../helpers/fake-clock';
import { conditions, MemoryStore } from '../../helpers/memory-store';
import { STATUS } from './harness';
import type { AddressInfo } from 'node:net';
import { Lines } from './lines';

const MAIN = { kind: 'Sandbox', name: 'main' } as const;
const PATH = '/apis/berth.dev/v1alpha1/sandboxes';

/** The same story on either store: what the API shows of it must not differ. */
interface Story {
  readonly store: SqliteObjectStore | MemoryStore;
  declare(): void;
  writeStatus(status: object): void;
  letGo(): void;
}

function onDisk(): Story {
  const db = openDatabase(':memory:');
  const store = new SqliteObjectStore({ db, clock: new FakeClock(), newUid: () => 'uid-1' });
  const manifest: ManifestState = { origin: { type: 'BuiltIn' }, problems: [], warnings: [] };
  return {
    store,
    declare: () => {
      store.declare({ ...MAIN, labels: { team: 'shop' }, annotations: {}, spec: { keepRunning: true } }, manifest);
      store.addFinalizer(MAIN, 'berth.dev/container');
    },
    writeStatus: (status) => {
      store.writeStatus(MAIN, status);
    },
    letGo: () => {
      store.removeFinalizer(MAIN, 'berth.dev/container');
    },
  };
}

function inMemory(): Story {
  const store = new MemoryStore(0);
  return {
    store,
    declare: () => {
      store.put('Sandbox', 'main', { labels: { team: 'shop' }, spec: { keepRunning: true } });
      store.put('Sandbox', 'main', { finalizers: ['berth.dev/container'] });
    },
    writeStatus: (status) => {
      store.put('Sandbox', 'main', { status });
    },
    letGo: () => {
      store.remove(MAIN);
    },
  };
}

/** Every line of a watch from the beginning to the object's end, as `type revision`. */
async function play(story: Story): Promise<string[]> {
  const clock = new FakeClock();
  const events = new EventRecorder({ db: openDatabase(':memory:'), clock });
  const app = createApi({ store: story.store, events, clock, log: silentLog, version: '0.1.0', status: () => STATUS });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const lines = await Lines.open<WatchEvent<Resource>>({ port, path: `${PATH}?watch=1`, headers: {} });
  story.declare();
  const since = story.store.revision();
  story.writeStatus(conditions({ Ready: 'True Ready' }));
  await app.inject({
    method: 'PATCH',
    url: `${PATH}/main`,
    headers: { 'content-type': 'application/merge-patch+json' },
    payload: { metadata: { annotations: { 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' } } },
  });
  await app.inject({ method: 'DELETE', url: `${PATH}/main` });
  story.letGo();
  const later = await Lines.open<WatchEvent<Resource>>({
    port,
    path: `${PATH}?watch=1&resourceVersion=${since}`,
    headers: {},
  });
  const seen = [];
  for (let count = 0; count < 6; count += 1) seen.push(brief(await lines.next()));
  for (let count = 0; count < 4; count += 1) seen.push(`later ${brief(await later.next())}`);
  await app.close();
  return seen;
}

function brief({ type, object }: WatchEvent<Resource>): string {
  return `${type} ${object.metadata.resourceVersion}`;
}

describe.each([
  ['on disk', onDisk],
  ['in memory', inMemory],
])('over the store %s', (_name, create) => {
  it('a watch tells the whole life of an object, at once and in hindsight', async () => {
    expect(await play(create())).toEqual([
      'ADDED 1',
      'MODIFIED 2',
      'MODIFIED 3',
      'MODIFIED 4',
      'MODIFIED 5',
      'DELETED 6',
      'later MODIFIED 3',
      'later MODIFIED 4',
      'later MODIFIED 5',
      'later DELETED 6',
    ]);
  });

  it('has nothing of any kind at first', () => {
    const { store } = create();
    expect(KINDS.flatMap((kind) => store.list(kind))).toEqual([]);
  });
});
