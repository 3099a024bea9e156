import type { Resource } from '../../crds/meta';
import { EVENTS } from '../../controller/api/wire/resources';
import type { CoreEvent, List } from '../../controller/api/wire/types';
import type { Context, ExitCode } from '../context';
import { UsageError } from '../errors';
import { describe as print } from '../print/describe';
import { pathOf } from '../query';
import { parseTargets, type Target } from '../targets';

/** `ctl describe`: everything about one object, or about all of a type, one after another. */
export async function describe(context: Context, args: readonly string[]): Promise<ExitCode> {
  const objects: Resource[] = [];
  for (const target of parseTargets(args)) objects.push(...(await fetch(context, target)));
  if (objects.length === 0) context.stderr.line('No resources found');
  const texts = await Promise.all(objects.map((object) => describeOne(context, object)));
  context.stdout.write(texts.join('\n\n'));
  return 0;
}

async function fetch({ client }: Context, target: Target): Promise<readonly Resource[]> {
  if (target.info === EVENTS) throw new UsageError('events are shown by "ctl get events"');
  const body = await client.send<Resource | List<Resource>>({ path: pathOf(target) });
  return 'items' in body ? body.items : [body];
}

async function describeOne({ client, clock }: Context, object: Resource): Promise<string> {
  const { name, uid } = object.metadata;
  const fieldSelector = `involvedObject.kind=${object.kind},involvedObject.name=${name},involvedObject.uid=${uid}`;
  const { items } = await client.send<List<CoreEvent>>({ path: EVENTS.path, query: { fieldSelector } });
  return print(object, items, clock.now());
}
