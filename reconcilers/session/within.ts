import type { Clock } from '../../controller/clock';
import type { CallOptions } from '../../runtimes/runtime';

/** Gives up on what a container itself may delay: its signal aborts after `limitMs`, or with the pass. */
export async function within<Result>(
  limitMs: number,
  clock: Clock,
  { signal }: CallOptions,
  run: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const abort = (): void => {
    stop.abort();
  };
  const forget = clock.after(limitMs, abort);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await run({ signal: stop.signal });
  } finally {
    forget();
    signal?.removeEventListener('abort', abort);
  }
}
