import type { Clock } from '../controller/clock';

/** Resolves after a while, or at once when the signal aborts. */
export function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const forget = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      forget();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
