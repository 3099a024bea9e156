import type { PullProgress } from '../runtime';
import { isRecord } from './replies';

/** Adds up what an engine says of each layer: `{status: 'Downloading', id, progressDetail: {current, total}}`. */
export class PullTally {
  readonly #layers = new Map<string, { current: number; total: number }>();

  /** The sum after this event, or undefined when it tells nothing new about bytes. */
  add(event: unknown): PullProgress | undefined {
    if (!isRecord(event) || typeof event.id !== 'string') return undefined;
    if (event.status === 'Download complete') this.#complete(event.id);
    else if (event.status !== 'Downloading' || !this.#note(event.id, event.progressDetail)) return undefined;
    return this.#sum();
  }

  #note(id: string, detail: unknown): boolean {
    if (!isRecord(detail) || typeof detail.current !== 'number') return false;
    const total = typeof detail.total === 'number' ? detail.total : detail.current;
    this.#layers.set(id, { current: detail.current, total: Math.max(total, detail.current) });
    return true;
  }

  #complete(id: string): void {
    const total = this.#layers.get(id)?.total ?? 0;
    this.#layers.set(id, { current: total, total });
  }

  #sum(): PullProgress {
    const layers = [...this.#layers.values()];
    return {
      currentBytes: layers.reduce((sum, { current }) => sum + current, 0),
      totalBytes: layers.reduce((sum, { total }) => sum + total, 0),
    };
  }
}
