import type { Key, Resource } from '../crds/meta';
import type { Clock } from './clock';
import type { Logger } from './log';
import type { StoreReader } from './store';

/** How a pass ended well. `{}` waits until something changes; a duration asks for another pass then. */
export interface Result {
  readonly requeueAfterMs?: number;
}

/** What one pass is given. The signal aborts when the controller stops or the pass takes too long. */
export interface Pass {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * One kind's controller. A pass reads the whole truth, changes the outside at most once and says when to look again.
 * It throws an ordinary error to be retried with back-off, and a `TerminalError` when only a change of the spec helps.
 */
export interface Reconciler {
  reconcile(key: Key, pass: Pass): Promise<Result>;
}

/** Which other keys a change of this object concerns. Returns keys and can do nothing else. */
export type KeyMapper = (object: Resource, store: StoreReader) => readonly Key[];

/** A failure that trying again cannot mend: the key waits for a change instead of a back-off. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
