import { WorkQueue } from '../../controller/queue';
import { TerminalError, type Reconciler } from '../../controller/reconcile';
import { runWorker } from '../../controller/worker';
import type { Key } from '../../crds/meta';
import { silentLog } from '../../controller/log';
import { FakeClock } from '../helpers/fake-clock';

const key: Key = { kind: 'Sandbox', name: 'a' };

function setUp(reconcile: Reconciler['reconcile']) {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, backoff: { firstMs: 100, mostMs: 1_000 } });
  const stop = new AbortController();
  const running = runWorker({
    queue,
    reconcilers: { Sandbox: { reconcile } },
    clock,
    log: silentLog,
    signal: stop.signal,
    passTimeoutMs: 5_000,
  });
  const finish = async (): Promise<void> => {
    queue.close();
    await running;
  };
  return { clock, queue, stop, finish };
}

/** Lets everything that is ready run. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('runWorker', () => {
  it('looks again after the time a pass named', async () => {
    let passes = 0;
    const { clock, queue, finish } = setUp(() => {
      passes += 1;
      return Promise.resolve(passes === 1 ? { requeueAfterMs: 300 } : {});
    });
    queue.add(key);
    await turn();
    clock.advance(299);
    await turn();
    expect(passes).toBe(1);
    clock.advance(1);
    await turn();
    expect(passes).toBe(2);
    await finish();
  });

  it('tries a failed pass again with back-off', async () => {
    let passes = 0;
    const { clock, queue, finish } = setUp(() => {
      passes += 1;
      return passes < 3 ? Promise.reject(new Error('the engine is down')) : Promise.resolve({});
    });
    queue.add(key);
    await turn();
    clock.advance(100);
    await turn();
    clock.advance(200);
    await turn();
    expect(passes).toBe(3);
    await finish();
  });

  it('leaves a terminal failure until something changes', async () => {
    let passes = 0;
    const { clock, queue, finish } = setUp(() => {
      passes += 1;
      return Promise.reject(new TerminalError('will never work'));
    });
    queue.add(key);
    await turn();
    clock.advance(1_000_000);
    await turn();
    expect(passes).toBe(1);
    queue.add(key);
    await turn();
    expect(passes).toBe(2);
    await finish();
  });

  it('aborts a pass that takes too long', async () => {
    let reason: unknown;
    const { clock, queue, finish } = setUp(
      async (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(signal.reason as Error);
          });
        }),
    );
    queue.add(key);
    await turn();
    clock.advance(5_000);
    await turn();
    expect(String(reason)).toContain('longer than 5000 ms');
    await finish();
  });
});
