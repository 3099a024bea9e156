import { formatKey, type Key, type Kind } from '../crds/meta';
import type { Clock } from './clock';
import type { Logger } from './log';
import type { WorkQueue } from './queue';
import { TerminalError, type Reconciler, type Result } from './reconcile';

export interface WorkerDeps {
  readonly queue: WorkQueue;
  readonly reconcilers: Readonly<Partial<Record<Kind, Reconciler>>>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The controller is stopping. */
  readonly signal: AbortSignal;
  readonly passTimeoutMs: number;
}

/** Takes keys until the queue closes. Whatever a pass throws ends here: it is logged once and decides the next try. */
export async function runWorker(deps: WorkerDeps): Promise<void> {
  for (let key = await deps.queue.next(); key; key = await deps.queue.next()) {
    await workOn(key, deps);
    deps.queue.done(key);
  }
}

async function workOn(key: Key, deps: WorkerDeps): Promise<void> {
  try {
    const result = await onePass(key, deps);
    deps.queue.forget(key);
    if (result.requeueAfterMs !== undefined) deps.queue.addAfter(key, result.requeueAfterMs);
  } catch (error) {
    if (deps.signal.aborted) return;
    deps.log.warn({ key: formatKey(key), err: error }, 'pass failed');
    if (!(error instanceof TerminalError)) deps.queue.retry(key);
  }
}

async function onePass(key: Key, deps: WorkerDeps): Promise<Result> {
  const reconciler = deps.reconcilers[key.kind];
  if (!reconciler) return {};
  const abort = new AbortController();
  const stop = (): void => {
    abort.abort(deps.signal.reason);
  };
  const forget = deps.clock.after(deps.passTimeoutMs, () => {
    abort.abort(new Error(`the pass took longer than ${deps.passTimeoutMs} ms`));
  });
  // By hand and not by AbortSignal.any: Node 20 keeps each signal made from one that lives as long as the controller.
  if (deps.signal.aborted) stop();
  deps.signal.addEventListener('abort', stop, { once: true });
  try {
    return await reconciler.reconcile(key, { signal: abort.signal, log: deps.log, clock: deps.clock });
  } finally {
    forget();
    deps.signal.removeEventListener('abort', stop);
  }
}
