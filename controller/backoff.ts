/** How long a failing key waits: doubling from `firstMs`, never more than `mostMs`. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** A local engine answers in milliseconds and comes back in seconds, so the waits are short. */
export const DEFAULT_BACKOFF: BackoffOptions = { firstMs: 250, mostMs: 30_000 };

/** Consecutive failures by key. Memory only: losing it makes one retry come early, which is fine. */
export class Backoff {
  readonly #failures = new Map<string, number>();
  readonly #options: BackoffOptions;

  constructor(options: BackoffOptions = DEFAULT_BACKOFF) {
    this.#options = options;
  }

  /** Counts one more failure and says how long to wait, in milliseconds. */
  next(id: string): number {
    const failures = this.#failures.get(id) ?? 0;
    this.#failures.set(id, failures + 1);
    return Math.min(this.#options.firstMs * 2 ** Math.min(failures, 30), this.#options.mostMs);
  }

  forget(id: string): void {
    this.#failures.delete(id);
  }
}
