import { RuntimeError, timedOut } from '../errors';

/** Calls that change something; each can be made to fail before or after it took effect. */
export type Effect =
  | 'containers.create'
  | 'containers.start'
  | 'containers.stop'
  | 'containers.remove'
  | 'images.pull'
  | 'images.load'
  | 'execs.run'
  | 'execs.start'
  | 'volumes.create'
  | 'volumes.remove';

export type Query =
  'containers.observe' | 'containers.list' | 'images.find' | 'volumes.list' | 'probe' | 'changes' | Effect;

/** Called around the nth effect (from 1) of the engine's life; what it throws is what the caller sees. */
export type EffectHook = (effect: Effect, n: number) => void;

/** What goes wrong, and when. */
export class Faults {
  /** No call is answered and event streams break, as if the daemon had died. The containers live on. */
  unavailable = false;
  /** Events are dropped, as a contract that calls them lossy allows. */
  loseEvents = false;
  /** Throwing here is a crash before the call reached the engine. */
  beforeEffect: EffectHook | undefined;
  /** Throwing here is a crash after the engine acted and before anyone learnt of it. */
  afterEffect: EffectHook | undefined;
  readonly #next = new Map<Query, Error[]>();

  /** The next call of this method fails with this error, and changes nothing. Several queue up. */
  failNext(method: Query, error: Error): void {
    this.#next.set(method, [...(this.#next.get(method) ?? []), error]);
  }

  /** What every call passes before it does anything. */
  check(method: Query, signal: AbortSignal | undefined): void {
    if (signal?.aborted) throw timedOut(method, signal.reason);
    if (this.unavailable) throw engineGone();
    const [error, ...rest] = this.#next.get(method) ?? [];
    this.#next.set(method, rest);
    if (error) throw error;
  }
}

export function engineGone(): RuntimeError {
  return new RuntimeError({
    code: 'Unavailable',
    failure: { cause: 'NotRunning', slots: { runtime: 'Fake' } },
    detail: 'connect ECONNREFUSED fake',
  });
}
