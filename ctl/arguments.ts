import { isPrintable, printable } from '../controller/api/wire/printable';
import { UsageError } from './errors';

/** No name, type, label or option has a character that could steer the terminal: whoever passes one was led to. */
export function refuseUnprintable(args: readonly string[]): void {
  const bad = args.find((arg) => !isPrintable(arg));
  if (bad !== undefined) throw new UsageError(`"${printable(bad)}" holds characters that no argument has`);
}
