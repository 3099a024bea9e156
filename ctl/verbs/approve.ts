import { findCondition, type Condition } from '../../crds/conditions';
import type { Resource } from '../../crds/meta';
import { qualifiedPlural } from '../../controller/api/wire/resources';
import type { Context, ExitCode } from '../context';
import { UsageError } from '../errors';
import { pathOf } from '../query';
import { parseObjects } from '../targets';
import { type DeleteOptions, removeAll } from './delete';

/** The reason of `Accepted=False` for an object that runs on although its manifest is gone. */
const HELD = 'ManifestMissing';

/** `ctl approve`: lets go of an object that is held because its manifest has vanished. */
export async function approve(context: Context, args: readonly string[], options: DeleteOptions): Promise<ExitCode> {
  const held = [];
  for (const target of parseObjects(args)) {
    const object = await context.client.send<Resource>({ path: pathOf(target) });
    if (!isHeld(object)) {
      const what = `${qualifiedPlural(target.info)} "${target.name}"`;
      throw new UsageError(`${what} is not held: its manifest is there; "ctl delete" deletes it all the same`);
    }
    held.push({ target, object });
  }
  return removeAll(context, held, options);
}

function isHeld({ status }: Resource): boolean {
  const { conditions } = (status ?? {}) as { conditions?: readonly Condition[] };
  const accepted = findCondition(conditions, 'Accepted');
  return accepted?.status === 'False' && accepted.reason === HELD;
}
