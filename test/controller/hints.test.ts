import { getEventListeners } from 'node:events';
import { Hints, type HintsDeps } from '../../controller/hints';
import { silentLog } from '../../controller/log';
import type { Key } from '../../crds/meta';
import { FakeClock } from '../helpers/fake-clock';

const MAIN: Key = { kind: 'Sandbox', name: 'main' };

/** A source that hands out what is pushed until it is broken. */
class Source implements AsyncIterable<Key> {
  readonly #keys: (Key | Error)[] = [];
  #wake: () => void = () => undefined;

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      this.push(new Error('aborted'));
    });
  }

  push(next: Key | Error): void {
    this.#keys.push(next);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Key, void> {
    for (;;) {
      const next = this.#keys.shift();
      if (next instanceof Error) throw next;
      if (next) yield next;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function follow(subscribe?: HintsDeps['subscribe']) {
  const clock = new FakeClock();
  const sources: Source[] = [];
  const said: string[] = [];
  const hints = new Hints({
    clock,
    log: silentLog,
    subscribe:
      subscribe ??
      ((signal) => {
        sources.push(new Source(signal));
        return Promise.resolve(sources.at(-1)!);
      }),
    onSubscribed: () => said.push('subscribed'),
    onHint: ({ name }) => said.push(name),
    onLost: () => said.push('lost'),
  });
  return { clock, sources, said, hints };
}

async function turns(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('Hints', () => {
  it('pass keys on, and say first that everything is to be looked at', async () => {
    const { hints, sources, said } = follow();
    hints.start();
    await turns();
    sources[0]?.push(MAIN);
    await turns();
    expect(said).toEqual(['subscribed', 'main']);
    await hints.stop();
  });

  it('say that the source went, and subscribe again after a second', async () => {
    const { hints, sources, said, clock } = follow();
    hints.start();
    await turns();
    sources[0]?.push(new Error('reset'));
    await turns();
    expect(said).toEqual(['subscribed', 'lost']);
    clock.advance(999);
    await turns();
    expect(sources).toHaveLength(1);
    clock.advance(1);
    await turns();
    expect(said).toEqual(['subscribed', 'lost', 'subscribed']);
    await hints.stop();
  });

  it('keep asking a source that refuses, and hold on to nothing of each try', async () => {
    let tries = 0;
    const signals: AbortSignal[] = [];
    const { hints, said, clock } = follow((signal) => {
      tries += 1;
      signals.push(signal);
      return Promise.reject(new Error('refused'));
    });
    const warnings: string[] = [];
    const warned = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warned);
    hints.start();
    for (let n = 0; n < 30; n += 1) {
      await turns();
      clock.advance(1_000);
    }
    await turns();
    process.off('warning', warned);
    expect(tries).toBeGreaterThan(25);
    expect(said).toEqual([]);
    expect(warnings).toEqual([]);
    expect(signals.slice(0, -1).flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
    await hints.stop();
  });

  it('turn to another source at once when they are renewed', async () => {
    const { hints, sources, said } = follow();
    hints.start();
    await turns();
    hints.renew();
    await turns();
    expect(sources).toHaveLength(2);
    expect(said).toEqual(['subscribed', 'lost', 'subscribed']);
    await hints.stop();
  });

  it('are silent once stopped, in the middle of a wait as well', async () => {
    const { hints, sources, said, clock } = follow();
    hints.start();
    await turns();
    sources[0]?.push(new Error('reset'));
    await turns();
    await hints.stop();
    clock.advance(60_000);
    await turns();
    expect([sources.length, clock.pending(), said]).toEqual([1, 0, ['subscribed', 'lost']]);
  });
});
