import { EventRecorder } from '../../controller/events';
import { openDatabase } from '../../controller/state/database';
import type { Db } from '../../controller/state/db';
import { API_VERSION, type Resource } from '../../crds/meta';
import { FakeClock } from '../helpers/fake-clock';

function sandbox(name: string): Resource {
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '1', generation: 1, creationTimestamp: '' };
  return { apiVersion: API_VERSION, kind: 'Sandbox', metadata, spec: {} };
}

const STARTED = { type: 'Normal', reason: 'Started', message: 'The sandbox was started.' } as const;
const STOPPED = { type: 'Normal', reason: 'Stopped', message: 'The sandbox was stopped.' } as const;

describe('EventRecorder', () => {
  let db: Db;
  let clock: FakeClock;
  let events: EventRecorder;

  beforeEach(() => {
    db = openDatabase(':memory:');
    clock = new FakeClock();
    events = new EventRecorder({ db, clock });
  });

  afterEach(() => {
    db.close();
  });

  it('counts what happens again, and keeps when it first did', () => {
    events.record(sandbox('main'), STARTED);
    const [{ firstTimestamp } = { firstTimestamp: '' }] = events.list();
    clock.advance(5_000);
    events.record(sandbox('main'), STARTED);
    expect(events.list()).toEqual([
      expect.objectContaining({ ...STARTED, count: 2, firstTimestamp, lastTimestamp: expect.any(String) as string }),
    ]);
    expect(events.list()[0]?.lastTimestamp).not.toBe(firstTimestamp);
  });

  it('begins anew when something else happened in between', () => {
    for (const event of [STARTED, STOPPED, STARTED]) {
      clock.advance(1_000);
      events.record(sandbox('main'), event);
    }
    expect(events.list().map(({ reason, count }) => [reason, count])).toEqual([
      ['Started', 1],
      ['Stopped', 1],
      ['Started', 1],
    ]);
  });

  it('counts for each object by itself, and lists one alone', () => {
    for (const name of ['one', 'two', 'one']) events.record(sandbox(name), STARTED);
    expect(events.list().map(({ regarding, count }) => [regarding.name, count])).toEqual([
      ['one', 2],
      ['two', 1],
    ]);
    expect(events.list({ uid: 'uid-two' })).toHaveLength(1);
    expect(events.list({ kind: 'Sandbox', name: 'one' })).toHaveLength(1);
    expect(events.list({ kind: 'Session' })).toEqual([]);
  });

  it('keeps the newest two thousand', () => {
    for (let n = 0; n < 2_010; n += 1) events.record(sandbox(`s${n}`), STARTED);
    const kept = events.list();
    expect(kept).toHaveLength(2_000);
    expect(kept[0]?.regarding.name).toBe('s10');
  });

  it('tells who listens, until they no longer do', () => {
    const heard: string[] = [];
    const stop = events.subscribe(({ reason }) => heard.push(reason));
    events.record(sandbox('main'), STARTED);
    stop();
    events.record(sandbox('main'), STOPPED);
    expect(heard).toEqual(['Started']);
  });

  it('finds what an earlier controller recorded', () => {
    events.record(sandbox('main'), STARTED);
    const later = new EventRecorder({ db, clock });
    later.record(sandbox('main'), STARTED);
    expect(later.list()).toEqual([expect.objectContaining({ count: 2 })]);
  });
});
