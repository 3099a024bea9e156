import type { SessionObserved } from './types';

/** Fewer than there are workers: whatever the containers do, some workers go on with everything else. */
const AT_ONCE = 2;

/**
 * The containers that did not answer when they were asked last. Each of them may take a look's whole time again, so only
 * a few are asked at once. Memory only: losing it costs one slow look each.
 */
export class Suspects {
  readonly #silent = new Set<string>();
  #asked = 0;

  /** Looks, or says without a look that there is no answer yet: it comes again. */
  async ask(containerId: string, look: () => Promise<SessionObserved>): Promise<SessionObserved> {
    if (!this.#silent.has(containerId)) return this.#note(containerId, await look());
    if (this.#asked >= AT_ONCE) return silent(new Error('others that did not answer are asked first'));
    this.#asked += 1;
    try {
      return this.#note(containerId, await look());
    } finally {
      this.#asked -= 1;
    }
  }

  #note(containerId: string, observed: SessionObserved): SessionObserved {
    if (observed.process.state === 'Silent') this.#silent.add(containerId);
    else this.#silent.delete(containerId);
    return observed;
  }
}

export function silent(error: Error): SessionObserved {
  return { process: { state: 'Silent', error } };
}
