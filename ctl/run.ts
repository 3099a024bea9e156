import { runCli } from './cli';
import type { ExitCode } from './context';
import { contextOf, type Surroundings } from './surroundings';

/** Any command line. */
export function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  return runCli(args, contextOf(surroundings));
}
