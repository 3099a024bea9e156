import type { FailureCause } from '../crds/failures';

/** What the caller may do about it: the closed set that reconcilers decide by. */
export type RuntimeErrorCode =
  'NotFound' | 'Conflict' | 'Paused' | 'Unavailable' | 'InvalidSpec' | 'Timeout' | 'Internal';

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

/** What is said of a name that a container already has, whoever made it. */
export function nameTaken(name: string, detail: string, cause?: unknown): RuntimeError {
  return new RuntimeError({ code: 'Conflict', failure: { cause: 'Unknown', slots: { name, detail } }, detail, cause });
}

/** A container, running or not, still mounts the volume. */
export function volumeInUse(name: string, detail: string, cause?: unknown): RuntimeError {
  return new RuntimeError({ code: 'Conflict', failure: { cause: 'Unknown', slots: { name, detail } }, detail, cause });
}

export function containerNotFound(ref: string, detail: string, cause?: unknown): RuntimeError {
  const failure: RuntimeFailure = { cause: 'SandboxStopped', slots: { name: ref } };
  return new RuntimeError({ code: 'NotFound', failure, detail, cause });
}

export function containerStopped(ref: string, detail: string, cause?: unknown): RuntimeError {
  const failure: RuntimeFailure = { cause: 'SandboxStopped', slots: { name: ref } };
  return new RuntimeError({ code: 'Conflict', failure, detail, cause });
}

/** Only who paused it knows when it may go on. */
export function containerPaused(ref: string, detail: string, cause?: unknown): RuntimeError {
  const failure: RuntimeFailure = { cause: 'Unknown', slots: { name: ref, detail } };
  return new RuntimeError({ code: 'Paused', failure, detail, cause });
}

export function imageNotFound(reference: string, detail: string, cause?: unknown): RuntimeError {
  const failure: RuntimeFailure = { cause: 'ImageNotFound', slots: { reference } };
  return new RuntimeError({ code: 'NotFound', failure, detail, cause });
}

/** `path` is the host path that could not be mounted; without one the engine did not say which. */
export function mountRejected(path: string | undefined, detail: string, cause?: unknown): RuntimeError {
  const slots = { detail, ...(path === undefined ? {} : { path }) };
  return new RuntimeError({ code: 'InvalidSpec', failure: { cause: 'MountRejected', slots }, detail, cause });
}

/** A program in a container wrote more than its caller takes; what it goes on to write is nobody's. */
export function tooMuchOutput(bytes: number): RuntimeError {
  const detail = `the program wrote more than ${bytes} bytes`;
  return new RuntimeError({ code: 'Internal', failure: { cause: 'Unknown', slots: { detail } }, detail });
}

/** The caller's signal or the call's own deadline ended it; whether the engine still acts on it is not known. */
export function timedOut(operation: string, cause?: unknown): RuntimeError {
  const failure: RuntimeFailure = { cause: 'Timeout', slots: { operation } };
  return new RuntimeError({ code: 'Timeout', failure, detail: `${operation} did not finish in time`, cause });
}
