import type { ContainerHint } from '../runtime';
import { engineGone } from './faults';

/** One subscriber's hints, in order, until its signal aborts (it ends) or the engine goes (it throws). */
export class HintQueue implements AsyncIterable<ContainerHint> {
  readonly #signal: AbortSignal;
  readonly #hints: ContainerHint[] = [];
  #broken = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  push(hint: ContainerHint): void {
    this.#hints.push(hint);
    this.#wake?.();
  }

  break(): void {
    this.#broken = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ContainerHint, void> {
    for (;;) {
      if (this.#signal.aborted) return;
      const hint = this.#hints.shift();
      if (hint) yield hint;
      else if (this.#broken) throw engineGone();
      else await this.#somethingNew();
    }
  }

  async #somethingNew(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
