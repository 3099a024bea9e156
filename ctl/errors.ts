import { NotRunningError, StatusError } from '../controller/api/client';
import type { Context, ExitCode } from './context';
import { printable } from '../controller/api/wire/printable';

/** The command line asks for something that can't be; told with the prefix `error: `. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a person reads when a verb fails: kubectl's words where it has some. */
export function explain(error: unknown): string {
  if (error instanceof NotRunningError) {
    return `The controller is not running (nothing answers at ${printable(error.message)}): start it with "ctl controller start".`;
  }
  if (error instanceof StatusError) return explainStatus(error);
  return `error: ${printable((error as Error).message)}`;
}

function explainStatus({ message, status: { reason, details } }: StatusError): string {
  const causes = details?.causes ?? [];
  if (reason === 'Invalid' && causes.length > 0) {
    const list = causes.map(
      (cause) => `\n* ${cause.field === undefined ? '' : `${printable(cause.field)}: `}${printable(cause.message)}`,
    );
    return `The ${printable(details?.kind ?? 'object')} "${printable(details?.name ?? '')}" is invalid:${list.join('')}`;
  }
  return `Error from server (${reason ?? 'InternalError'}): ${printable(message)}`;
}

/** Tells of a failure; the exit code to end with. */
export function report({ stderr }: Pick<Context, 'stderr'>, error: unknown): ExitCode {
  stderr.line(explain(error));
  return 1;
}
