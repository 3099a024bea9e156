import { WorkQueue } from '../../controller/queue';
import type { Key } from '../../crds/meta';
import { FakeClock } from '../helpers/fake-clock';

const a: Key = { kind: 'Sandbox', name: 'a' };
const b: Key = { kind: 'Sandbox', name: 'b' };

function setUp() {
  const clock = new FakeClock();
  return { clock, queue: new WorkQueue({ clock, backoff: { firstMs: 100, mostMs: 1_000 } }) };
}

/** What the queue would hand out now, without waiting for more. */
async function drain(queue: WorkQueue): Promise<string[]> {
  const names: string[] = [];
  while (!queue.idle) {
    const key = await queue.next();
    if (!key) break;
    names.push(key.name);
    queue.done(key);
  }
  return names;
}

describe('WorkQueue', () => {
  it('hands out a key once, however often it was added', async () => {
    const { queue } = setUp();
    queue.add(a);
    queue.add(b);
    queue.add(a);
    expect(await drain(queue)).toEqual(['a', 'b']);
  });

  it('gives a key added during its own pass out again, but only after that pass', async () => {
    const { queue } = setUp();
    queue.add(a);
    await queue.next();
    queue.add(a);
    queue.add(b);
    expect(await queue.next()).toEqual(b);
    queue.done(a);
    expect(await queue.next()).toEqual(a);
  });

  it('keeps a worker waiting until there is a key', async () => {
    const { queue } = setUp();
    const waiting = queue.next();
    queue.add(a);
    expect(await waiting).toEqual(a);
  });

  it('adds a key later, at the earliest time that was asked for', async () => {
    const { queue, clock } = setUp();
    queue.addAfter(a, 500);
    queue.addAfter(a, 200);
    queue.addAfter(a, 900);
    clock.advance(199);
    expect(queue.idle).toBe(true);
    clock.advance(1);
    expect(await drain(queue)).toEqual(['a']);
    clock.advance(1_000);
    expect(queue.idle).toBe(true);
  });

  it('waits longer after each failure up to the most, and starts over once forgotten', () => {
    const { queue, clock } = setUp();
    const waits = [1, 2, 3, 4, 5, 6].map(() => {
      queue.retry(a);
      const wait = clock.nextDueAt()! - clock.now();
      clock.advance(wait);
      return wait;
    });
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    queue.forget(a);
    queue.retry(a);
    expect(clock.nextDueAt()! - clock.now()).toBe(100);
  });

  it('wakes every waiting worker with nothing when it closes, and takes no more', async () => {
    const { queue, clock } = setUp();
    queue.addAfter(b, 10);
    const waiting = [queue.next(), queue.next()];
    queue.close();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    queue.add(a);
    clock.advance(100);
    expect(await queue.next()).toBeUndefined();
  });
});
