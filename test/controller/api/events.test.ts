import type { CoreEvent, List } from '../../../controller/api/wire/types';
import { toCoreEvent } from '../../../controller/api/events';
import { createHarness, event, type Harness } from './harness';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
  harness.events.add(event());
  harness.events.add(event({ type: 'Warning', reason: 'Failed', message: 'It failed.' }));
  harness.events.add(event({ regarding: { kind: 'Session', name: 'main', uid: 'uid-2' } }));
});
afterEach(async () => {
  await harness.app.close();
});

async function regarding(query: string): Promise<string[]> {
  const answer = await harness.app.inject({ url: `/api/v1/events?fieldSelector=${encodeURIComponent(query)}` });
  return answer.json<List<CoreEvent>>().items.map((item) => `${item.involvedObject.uid} ${item.reason}`);
}

describe('events', () => {
  it('have the core shape that kubectl describes', async () => {
    const { items, ...list } = (await harness.app.inject({ url: '/api/v1/events' })).json<List<CoreEvent>>();
    expect(list).toMatchObject({ apiVersion: 'v1', kind: 'EventList' });
    expect(items[0]).toMatchObject({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'default' },
      involvedObject: { apiVersion: 'berth.dev/v1alpha1', kind: 'Sandbox', name: 'main', uid: 'uid-1' },
      type: 'Normal',
      reason: 'Created',
      message: 'Created the container.',
      count: 1,
      source: { component: 'controller' },
    });
  });

  it.each([
    ['involvedObject.name=main,involvedObject.namespace=,involvedObject.kind=Sandbox,involvedObject.uid=uid-1', 2],
    ['involvedObject.kind=Session', 1],
    ['involvedObject.uid!=uid-1', 1],
    ['involvedObject.namespace=default', 0],
    ['type=Warning', 1],
    ['reason=Created', 2],
  ])('are found by %s', async (query, count) => {
    expect(await regarding(query)).toHaveLength(count);
  });

  it('keep their name when they repeat, with a newer version', () => {
    const once = toCoreEvent(event()).metadata;
    const again = toCoreEvent(event({ count: 2, lastTimestamp: '2026-01-01T00:04:00.000Z' })).metadata;
    expect(again.name).toBe(once.name);
    expect(Number(again.resourceVersion)).toBeGreaterThan(Number(once.resourceVersion));
  });

  it('can be had one by one, in the one namespace that there is', async () => {
    const { name } = toCoreEvent(event()).metadata;
    const one = await harness.app.inject({ url: `/api/v1/namespaces/default/events/${name}` });
    expect(one.json<CoreEvent>().reason).toBe('Created');
    expect((await harness.app.inject({ url: `/api/v1/namespaces/other/events/${name}` })).statusCode).toBe(404);
    expect(
      (await harness.app.inject({ url: '/api/v1/namespaces/other/events' })).json<List<CoreEvent>>().items,
    ).toEqual([]);
    expect(
      (await harness.app.inject({ url: '/api/v1/namespaces/default/events' })).json<List<CoreEvent>>().items,
    ).toHaveLength(3);
  });
});
