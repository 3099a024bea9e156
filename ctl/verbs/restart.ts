import { RESTARTED_AT } from '../../crds/meta';
import { timestamp } from '../../controller/clock';
import { qualifiedName } from '../../controller/api/wire/resources';
import type { Context, ExitCode } from '../context';
import { UsageError } from '../errors';
import { pathOf } from '../query';
import { parseObjects } from '../targets';

/** The types of which something runs. */
const RESTARTABLE = ['sandboxes', 'sessions'];

/** `ctl restart`: asks for what runs to be stopped and started as it is declared now. */
export async function restart(context: Context, args: readonly string[]): Promise<ExitCode> {
  const targets = parseObjects(args);
  for (const { info } of targets) {
    if (!RESTARTABLE.includes(info.plural)) {
      throw new UsageError(`${info.plural} can't be restarted: only sandboxes and sessions run`);
    }
  }
  for (const target of targets) {
    const body = { metadata: { annotations: { [RESTARTED_AT]: timestamp(context.clock) } } };
    const { spec } = await context.client.send<{ spec: { state?: string } }>({
      method: 'PATCH',
      path: pathOf(target),
      body,
    });
    const name = qualifiedName(target.info, target.name);
    if (spec.state === 'Stopped') context.stderr.line(`warning: ${name} is declared stopped, and is not started`);
    else context.stdout.line(`${name} restarted`);
  }
  return 0;
}
