import { describeFailure, type FailureCause, type Stage } from '../../crds/failures';
import type { FailureStatus } from '../../crds/sandbox';
import { RuntimeError } from '../../runtimes/errors';

export interface FailureInput {
  readonly error: unknown;
  readonly stage: Stage;
  readonly runtime: string;
  /** The failure that stood before this pass, if any: the same one goes on, it does not begin anew. */
  readonly before: FailureStatus | undefined;
  /** RFC 3339. */
  readonly at: string;
}

/** An error of a pass as a person is told it, in the words of the failure catalogue. */
export function failureStatus({ error, stage, runtime, before, at }: FailureInput): FailureStatus {
  const { cause, slots, detail } = causeOf(error);
  const { message, remedy } = describeFailure({ cause, slots, stage, runtime });
  const since = before?.cause === cause && before.stage === stage ? before.since : at;
  return { stage, cause, message, remedy, detail, since };
}

/** The catalogue's cause of an error, with the values for its message. */
export function causeOf(error: unknown): {
  cause: FailureCause;
  slots: Readonly<Record<string, string>>;
  detail: string;
} {
  if (error instanceof RuntimeError) return { ...error.failure, detail: error.detail };
  const detail = error instanceof Error ? error.message : String(error);
  return { cause: 'Unknown', slots: { detail }, detail };
}
