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
  const pass: { abort?: AbortController } = {};
  // One listener a worker: those that a signal gave up still point at the next, and so hold whole passes in memory.
  deps.signal.addEventListener('abort', () => pass.abort?.abort(deps.signal.reason), { once: true });
  for (let key = await deps.queue.next(); key; key = await deps.queue.next()) {
    pass.abort = new AbortController();
    if (deps.signal.aborted) pass.abort.abort(deps.signal.reason);
    await workOn(key, pass.abort, deps);
    delete pass.abort;
    deps.queue.done(key);
  }
}

async function workOn(key: Key, abort: AbortController, deps: WorkerDeps): Promise<void> {
  try {
    const result = await onePass(key, abort, deps);
    deps.queue.forget(key);
    if (result.requeueAfterMs !== undefined) deps.queue.addAfter(key, result.requeueAfterMs);
  } catch (error) {
    if (deps.signal.aborted) return;
    deps.log.warn({ key: formatKey(key), err: error }, 'pass failed');
    if (!(error instanceof TerminalError)) deps.queue.retry(key);
  }
}

async function onePass(key: Key, abort: AbortController, deps: WorkerDeps): Promise<Result> {
  const reconciler = deps.reconcilers[key.kind];
  if (!reconciler) return {};
  const forget = deps.clock.after(deps.passTimeoutMs, () => {
    abort.abort(new Error(`the pass took longer than ${deps.passTimeoutMs} ms`));
  });
  try {
    return await reconciler.reconcile(key, { signal: abort.signal, log: deps.log, clock: deps.clock });
  } finally {
    forget();
  }
}
