import type { Key } from '../crds/meta';
import type { Clock } from './clock';
import type { Logger } from './log';

export interface HintsDeps {
  /** Subscribes; resolves once a list made afterwards misses nothing. */
  readonly subscribe: (signal: AbortSignal) => Promise<AsyncIterable<Key>>;
  /** Subscribed anew: whatever happened before was not heard, so everything is to be looked at. */
  readonly onSubscribed: () => void;
  readonly onHint: (key: Key) => void;
  /** The source went away. */
  readonly onLost: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** An engine that was started is noticed within this time. */
const RETRY_MS = 1_000;

/** Follows a lossy source of keys for as long as the controller runs, and subscribes again whenever it breaks. */
export class Hints {
  readonly #deps: HintsDeps;
  #stop = new AbortController();
  #current = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(deps: HintsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stop = new AbortController();
    this.#running = this.#run(this.#stop.signal);
  }

  /** The source is to be another one: drop this subscription and make a new one. */
  renew(): void {
    this.#current.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#current.abort();
    await this.#running;
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      this.#current = new AbortController();
      await this.#follow(this.#current.signal);
      await this.#pause(stop);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let subscribed = false;
    try {
      const hints = await this.#deps.subscribe(signal);
      subscribed = true;
      this.#deps.onSubscribed();
      for await (const key of hints) this.#deps.onHint(key);
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'events are not to be had');
    }
    if (subscribed) this.#deps.onLost();
  }

  async #pause(stop: AbortSignal): Promise<void> {
    if (stop.aborted || this.#current.signal.aborted) return;
    const over = new AbortController();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        resolve();
      };
      const cancel = this.#deps.clock.after(RETRY_MS, end);
      for (const signal of [stop, this.#current.signal])
        signal.addEventListener('abort', end, { once: true, signal: over.signal });
    });
    over.abort();
  }
}
