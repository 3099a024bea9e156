import { refuseUnprintable } from './arguments';
import type { ExitCode } from './context';
import { report } from './errors';
import { contextOf, type Surroundings } from './surroundings';
import { get } from './verbs/get';

/**
 * `ctl get` with no options: what is typed most and must be fastest. The option parser costs a quarter of such a run, and
 * here it has nothing to parse.
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const context = contextOf(surroundings);
  try {
    refuseUnprintable(args);
    return await get(context, args.slice(1), {});
  } catch (error) {
    return report(context, error);
  }
}
