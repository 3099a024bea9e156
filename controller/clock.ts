/** The only way to the time of day and to timers: tests pass one they can turn by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `delayMs`; the returned function forgets it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** RFC 3339 in UTC with milliseconds, the one form of a time in stored objects. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
