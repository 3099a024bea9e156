import { createActor, type AnyMachineSnapshot, type AnyStateMachine, type ContextFrom, type InputFrom } from 'xstate';
import type { Logger } from './log';
import type { Result } from './reconcile';

/** The final states every pass machine ends in; see docs/architecture.md. */
export type Ending = 'acted' | 'waiting' | 'settled' | 'gone' | 'failed';

export interface PassRun<Machine extends AnyStateMachine> {
  readonly machine: Machine;
  readonly input: InputFrom<Machine>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly key: string;
}

export interface PassEnd<Machine extends AnyStateMachine> {
  readonly ending: Ending;
  readonly context: ContextFrom<Machine>;
  /** The states it stayed in, e.g. `observing, creating, acted`. */
  readonly steps: readonly string[];
}

/**
 * Runs one machine from `observing` to a final state. Throws the signal's reason when the pass is aborted: a stopped
 * actor "completes" too, so only the snapshot's own status tells a finished pass from one cut short.
 */
export async function runPass<Machine extends AnyStateMachine>(run: PassRun<Machine>): Promise<PassEnd<Machine>> {
  run.signal.throwIfAborted();
  const steps: string[] = [];
  const actor = createActor(run.machine, { input: run.input });
  const ended = new Promise<void>((resolve, reject) => {
    const next = ({ value }: AnyMachineSnapshot): void => {
      steps.push(String(value));
    };
    actor.subscribe({ next, complete: resolve, error: reject });
  });
  const abort = (): void => {
    actor.stop();
  };
  run.signal.addEventListener('abort', abort, { once: true });
  try {
    actor.start();
    await ended;
  } finally {
    run.signal.removeEventListener('abort', abort);
    actor.stop();
  }
  const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
  if (snapshot.status !== 'done') throw run.signal.reason;
  run.log.debug({ key: run.key, steps: steps.join(', ') }, 'pass');
  return { ending: snapshot.value as Ending, context: snapshot.context as ContextFrom<Machine>, steps };
}

/** What the end of a pass means for the queue. A machine that waits or failed says so in its context. */
export function resultOf(end: { ending: Ending; context: { waitMs?: number; error?: unknown } }): Result {
  switch (end.ending) {
    case 'acted':
      return { requeueAfterMs: 0 };
    case 'waiting':
      return end.context.waitMs === undefined ? {} : { requeueAfterMs: end.context.waitMs };
    case 'failed':
      throw end.context.error;
    case 'settled':
    case 'gone':
      return {};
  }
}
