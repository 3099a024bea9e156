import { NotRunningError } from '../../controller/api/client';
import { EVENTS, RESOURCES } from '../../controller/api/wire/resources';
import { type ControllerStatus, STATUS_PATH } from '../../controller/api/wire/types';
import type { Context, ExitCode } from '../context';
import { layOut } from '../print/columns';

/** `ctl api-resources`: what may stand for TYPE. */
export function apiResources({ stdout }: Context): ExitCode {
  const rows = [...RESOURCES, EVENTS].map((info) => [
    info.plural,
    info.shortNames.join(','),
    info.apiVersion,
    String(info === EVENTS),
    info.kind,
  ]);
  stdout.write(layOut([['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'], ...rows]));
  return 0;
}

/** `ctl version`: of ctl, and of the controller if one runs. */
export async function version({ client, stdout, stderr, version: own }: Context): Promise<ExitCode> {
  stdout.line(`Client Version: v${own}`);
  try {
    const status = await client.send<ControllerStatus>({ path: STATUS_PATH });
    stdout.line(`Controller Version: v${status.version}`);
    if (status.version !== own) stderr.line('Warning: they differ; "ctl controller stop" and "start" end that');
    return 0;
  } catch (error) {
    if (!(error instanceof NotRunningError)) throw error;
    stderr.line('The controller is not running.');
    return 0;
  }
}
