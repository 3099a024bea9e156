import type { FailureCause } from '../crds/failures';

/** What the caller may do about it: the closed set that reconcilers decide by. */
export type RuntimeErrorCode = 'NotFound' | 'Conflict' | 'Unavailable' | 'InvalidSpec' | 'Timeout' | 'Internal';

/** What a person is told: the catalogue's cause, and the values for the slots of its message. */
export interface RuntimeFailure {
  readonly cause: FailureCause;
  readonly slots: Readonly<Record<string, string>>;
}

/** The only error a driver throws. The engine's own words are kept whole in `detail`. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly code: RuntimeErrorCode;
  readonly failure: RuntimeFailure;
  readonly detail: string;

  constructor(init: { code: RuntimeErrorCode; failure: RuntimeFailure; detail: string; cause?: unknown }) {
    super(`${init.failure.cause}: ${init.detail}`, { cause: init.cause });
    this.code = init.code;
    this.failure = init.failure;
    this.detail = init.detail;
  }
}
