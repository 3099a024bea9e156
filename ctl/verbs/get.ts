import type { Resource } from '../../crds/meta';
import { StatusError } from '../../controller/api/client';
import { qualifiedName, type ResourceInfo } from '../../controller/api/wire/resources';
import { type List, type Table, TABLE_ACCEPT } from '../../controller/api/wire/types';
import type { Context, ExitCode } from '../context';
import { explain, UsageError } from '../errors';
import { printTable, type TableStyle } from '../print/table';
import { type GetOptions, pathOf, styleOf, toDocument } from '../query';
import { namesSeveralTypes, parseTargets, type Target } from '../targets';
import { watch } from './watch';

/** `ctl get`: what there is, in a table or as it is stored. */
export async function get(context: Context, args: readonly string[], options: GetOptions): Promise<ExitCode> {
  const targets = parseTargets(args);
  if (options.selector !== undefined && targets.some(({ name }) => name !== undefined)) {
    throw new UsageError('name cannot be provided when a selector is specified');
  }
  if (options.watch === true) return watch(context, targets, options);
  const { output } = options;
  if (output === undefined || output === 'wide') {
    return getTables(context, targets, { options, style: styleOf(options, namesSeveralTypes(args, targets)) });
  }
  return getObjects(context, targets, { ...options, output });
}

/** What one target came to; a refusal does not keep the others from being shown. */
type Found<Body> = { readonly target: Target; readonly body: Body } | { readonly refusal: StatusError };

async function fetchAll<Body>(
  { client }: Context,
  targets: readonly Target[],
  request: { accept?: string; query: Readonly<Record<string, string | undefined>> },
): Promise<readonly Found<Body>[]> {
  return Promise.all(
    targets.map(async (target) => {
      try {
        return { target, body: await client.send<Body>({ path: pathOf(target), ...request }) };
      } catch (error) {
        if (error instanceof StatusError) return { refusal: error };
        throw error;
      }
    }),
  );
}

interface TableRequest {
  readonly options: GetOptions;
  readonly style: TableStyle;
}

async function getTables(context: Context, targets: readonly Target[], request: TableRequest): Promise<ExitCode> {
  const { options, style } = request;
  const includeObject = style.labels ? 'Metadata' : 'None';
  const query = { labelSelector: options.selector, includeObject };
  const found = await fetchAll<Table>(context, targets, { accept: TABLE_ACCEPT, query });
  const texts = tablesByType(found).map(({ info, table }) => printTable(info, table, style));
  const shown = texts.filter((text) => text !== '');
  context.stdout.write(shown.join('\n'));
  const refusals = refusalsOf(found);
  if (shown.length === 0 && refusals.length === 0) context.stderr.line('No resources found');
  return tell(context, refusals);
}

/** Rows of one type stand in one table, whether they were asked for one by one or not. */
function tablesByType(found: readonly Found<Table>[]): { info: ResourceInfo; table: Table }[] {
  const tables = new Map<string, { info: ResourceInfo; table: Table }>();
  for (const item of found) {
    if ('refusal' in item) continue;
    const { info } = item.target;
    const before = tables.get(info.plural)?.table.rows ?? [];
    tables.set(info.plural, { info, table: { ...item.body, rows: [...before, ...item.body.rows] } });
  }
  return [...tables.values()];
}

interface ObjectRequest extends GetOptions {
  readonly output: 'json' | 'yaml' | 'name';
}

async function getObjects(context: Context, targets: readonly Target[], options: ObjectRequest): Promise<ExitCode> {
  const query = { labelSelector: options.selector };
  const found = await fetchAll<Resource | List<Resource>>(context, targets, { query });
  const objects = found.flatMap((item) => ('refusal' in item ? [] : objectsOf(item.target, item.body)));
  const refusals = refusalsOf(found);
  const single = targets.length === 1 && targets[0]?.name !== undefined;
  if (options.output === 'name') {
    for (const { info, object } of objects) context.stdout.line(qualifiedName(info, object.metadata.name));
  } else if (!single || objects.length === 1) {
    const items = objects.map(({ object }) => object);
    const document = single ? items[0] : { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items };
    context.stdout.write(await toDocument(document, options.output));
  }
  return tell(context, refusals);
}

function objectsOf({ info }: Target, body: Resource | List<Resource>): { info: ResourceInfo; object: Resource }[] {
  const objects = 'items' in body ? body.items : [body];
  return objects.map((object) => ({ info, object }));
}

function refusalsOf(found: readonly Found<unknown>[]): StatusError[] {
  return found.flatMap((item) => ('refusal' in item ? [item.refusal] : []));
}

function tell({ stderr }: Context, refusals: readonly StatusError[]): ExitCode {
  for (const refusal of refusals) stderr.line(explain(refusal));
  return refusals.length === 0 ? 0 : 1;
}
