import { fromPromise, setup } from 'xstate';
import { silentLog } from '../../controller/log';
import { resultOf, runPass } from '../../controller/pass';

/** A pass whose one effect is what a test wants it to be. */
function machineOf(effect: (signal: AbortSignal) => Promise<void>) {
  return setup({
    actors: { act: fromPromise<void>(async ({ signal }) => effect(signal)) },
  }).createMachine({
    initial: 'observing',
    context: { error: undefined },
    states: {
      observing: { always: 'acting' },
      acting: { invoke: { src: 'act', onDone: 'acted', onError: 'failed' } },
      acted: { type: 'final' },
      failed: { type: 'final' },
    },
  });
}

const run = (effect: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) =>
  runPass({ machine: machineOf(effect), input: undefined, signal, log: silentLog, key: 'Sandbox/main' });

describe('runPass', () => {
  it('says how the pass ended and what it went through', async () => {
    const end = await run(async () => Promise.resolve(), new AbortController().signal);
    expect(end.ending).toBe('acted');
    expect(end.steps).toContain('acting');
  });

  it('ends in failed when the effect fails', async () => {
    const end = await run(async () => Promise.reject(new Error('no')), new AbortController().signal);
    expect(end.ending).toBe('failed');
  });

  it('throws the reason when it is aborted, which the effect is told of', async () => {
    const abort = new AbortController();
    const told: unknown[] = [];
    const effect = async (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          told.push('abort');
          resolve();
        });
        abort.abort(new Error('stopping'));
      });
    await expect(run(effect, abort.signal)).rejects.toThrow('stopping');
    expect(told).toEqual(['abort']);
  });

  it('does nothing when it was aborted before', async () => {
    const done: string[] = [];
    const effect = async (): Promise<void> => {
      done.push('acted');
      return Promise.resolve();
    };
    await expect(run(effect, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    expect(done).toEqual([]);
  });
});

describe('resultOf', () => {
  it('looks again at once after an effect, after the wait where there is one, and not by itself when settled', () => {
    expect(resultOf({ ending: 'acted', context: {} })).toEqual({ requeueAfterMs: 0 });
    expect(resultOf({ ending: 'waiting', context: { waitMs: 70 } })).toEqual({ requeueAfterMs: 70 });
    expect(resultOf({ ending: 'waiting', context: {} })).toEqual({});
    expect(resultOf({ ending: 'settled', context: {} })).toEqual({});
    expect(resultOf({ ending: 'gone', context: {} })).toEqual({});
  });

  it('throws what a failed pass failed of', () => {
    expect(() => resultOf({ ending: 'failed', context: { error: new Error('no engine') } })).toThrow('no engine');
  });
});
