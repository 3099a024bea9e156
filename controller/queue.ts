import { formatKey, type Key } from '../crds/meta';
import { Backoff, type BackoffOptions } from './backoff';
import type { Clock } from './clock';

interface Timer {
  readonly dueAt: number;
  readonly cancel: () => void;
}

/**
 * Keys that need a pass, after client-go's work queue: a key is queued once however often it is added, is never given
 * to two workers at once, and one added while it is being worked on comes again after `done`.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #ready: string[] = [];
  readonly #keys = new Map<string, Key>();
  readonly #dirty = new Set<string>();
  readonly #processing = new Set<string>();
  readonly #timers = new Map<string, Timer>();
  readonly #waiting: ((key: Key | undefined) => void)[] = [];
  #closed = false;

  constructor({ clock, backoff }: { clock: Clock; backoff?: BackoffOptions }) {
    this.#clock = clock;
    this.#backoff = new Backoff(backoff);
  }

  add(key: Key): void {
    const id = formatKey(key);
    if (this.#closed || this.#dirty.has(id)) return;
    this.#keys.set(id, key);
    this.#dirty.add(id);
    if (this.#processing.has(id)) return;
    this.#ready.push(id);
    this.#hand();
  }

  /** Adds the key in `delayMs`; of several waits for one key only the earliest counts. */
  addAfter(key: Key, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const id = formatKey(key);
    const dueAt = this.#clock.now() + delayMs;
    const standing = this.#timers.get(id);
    if (this.#closed || (standing && standing.dueAt <= dueAt)) return;
    standing?.cancel();
    const cancel = this.#clock.after(delayMs, () => {
      this.#timers.delete(id);
      this.add(key);
    });
    this.#timers.set(id, { dueAt, cancel });
  }

  /** Adds a key whose pass failed, later each time until `forget`. */
  retry(key: Key): void {
    this.addAfter(key, this.#backoff.next(formatKey(key)));
  }

  /** The key's pass went well: its next failure starts from the shortest wait. */
  forget(key: Key): void {
    this.#backoff.forget(formatKey(key));
  }

  /** The next key, when there is one; undefined once the queue is closed. Call `done` after working on it. */
  async next(): Promise<Key | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#hand();
    });
  }

  done(key: Key): void {
    const id = formatKey(key);
    this.#processing.delete(id);
    if (!this.#dirty.has(id)) return;
    this.#ready.push(id);
    this.#hand();
  }

  /** Nothing is ready or being worked on; timers may still be pending. */
  get idle(): boolean {
    return this.#dirty.size === 0 && this.working === 0;
  }

  /** How many keys workers have now. */
  get working(): number {
    return this.#processing.size;
  }

  /** Wakes every waiting worker with undefined and forgets all timers. */
  close(): void {
    this.#closed = true;
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#hand();
  }

  #hand(): void {
    if (this.#closed) {
      for (const waiting of this.#waiting.splice(0)) waiting(undefined);
      return;
    }
    while (this.#waiting.length > 0 && this.#ready.length > 0) {
      const id = this.#ready.shift() ?? '';
      this.#dirty.delete(id);
      this.#processing.add(id);
      this.#waiting.shift()?.(this.#keys.get(id));
    }
  }
}
