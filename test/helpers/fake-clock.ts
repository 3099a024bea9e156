import type { Clock } from '../../controller/clock';

interface Alarm {
  readonly dueAt: number;
  readonly run: () => void;
}

/** A clock that stands still until it is turned. */
export class FakeClock implements Clock {
  #now: number;
  readonly #alarms = new Set<Alarm>();

  constructor(start = Date.parse('2026-01-01T00:00:00Z')) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const alarm = { dueAt: this.#now + delayMs, run };
    this.#alarms.add(alarm);
    return () => {
      this.#alarms.delete(alarm);
    };
  }

  /** Turns the clock forward, ringing what falls due in order. */
  advance(byMs: number): void {
    const end = this.#now + byMs;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#alarms.delete(next);
      this.#now = Math.max(this.#now, next.dueAt);
      next.run();
    }
    this.#now = end;
  }

  /** When the next alarm rings, if any is set. */
  nextDueAt(): number | undefined {
    const dues = [...this.#alarms].map(({ dueAt }) => dueAt);
    return dues.length > 0 ? Math.min(...dues) : undefined;
  }

  /** How many alarms are set. */
  pending(): number {
    return this.#alarms.size;
  }

  #next(end: number): Alarm | undefined {
    const due = [...this.#alarms].filter(({ dueAt }) => dueAt <= end);
    return due.sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}
