import type { Resource } from '../../crds/meta';
import { NotRunningError, StatusError } from '../../controller/api/client';
import { qualifiedName } from '../../controller/api/wire/resources';
import { type List, type Table, TABLE_ACCEPT, type WatchEvent } from '../../controller/api/wire/types';
import type { Context, ExitCode } from '../context';
import { UsageError } from '../errors';
import { TablePrinter } from '../print/table';
import { delay } from '../delay';
import { OutputError } from '../output';
import { type GetOptions, styleOf, toDocument } from '../query';
import type { Target } from '../targets';

/** A controller that is restarted comes back within this; a watch that outlives it would wait for nothing. */
const RECONNECT_ATTEMPTS = 30;
const RECONNECT_MS = 1000;

/** What is printed for the list at the beginning and for each change after it. */
interface Printer {
  readonly accept?: string;
  readonly list: (body: Table | List<Resource>) => Promise<string>;
  readonly change: (object: Table | Resource) => Promise<string>;
}

/** `ctl get -w`: what there is, then a line for each change, over restarts of the controller. */
export async function watch(context: Context, targets: readonly Target[], options: GetOptions): Promise<ExitCode> {
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0) {
    throw new UsageError('watch is only supported on a single resource or a single type of resources');
  }
  const printer = printerOf(target, options);
  let position = await start(context, { target, options, printer });
  for (let attempts = 0; attempts < RECONNECT_ATTEMPTS && !context.signal.aborted; attempts += 1) {
    const next = await follow(context, { target, options, printer }, position);
    if (next.changes > 0) attempts = 0;
    position = next.position ?? (await restart(context, { target, options, printer })) ?? position;
    await delay(context.clock, RECONNECT_MS, context.signal);
  }
  if (context.signal.aborted) return 0;
  throw new NotRunningError(context.home.socket);
}

interface Watched {
  readonly target: Target;
  readonly options: GetOptions;
  readonly printer: Printer;
}

async function start({ client, stdout }: Context, { target, options, printer }: Watched): Promise<string> {
  const body = await client.send<Table | List<Resource>>({
    path: target.info.path,
    query: selectionOf(target, options),
    ...(printer.accept === undefined ? {} : { accept: printer.accept }),
  });
  stdout.write(await printer.list(body));
  return body.metadata.resourceVersion;
}

/** After what was known has expired; undefined while there is nobody to ask. */
async function restart(context: Context, watched: Watched): Promise<string | undefined> {
  try {
    return await start(context, watched);
  } catch (error) {
    if (error instanceof NotRunningError) return undefined;
    throw error;
  }
}

/** Follows until the connection ends. The position is undefined when the list must be had anew. */
async function follow(
  { client, stdout, signal }: Context,
  { target, options, printer }: Watched,
  since: string,
): Promise<{ position: string | undefined; changes: number }> {
  let position = since;
  let changes = 0;
  const query = { ...selectionOf(target, options), watch: '1', allowWatchBookmarks: '1', resourceVersion: since };
  const accept = printer.accept === undefined ? {} : { accept: printer.accept };
  try {
    for await (const event of client.watch<Table | Resource>({ path: target.info.path, query, ...accept }, signal)) {
      position = versionOf(event) ?? position;
      changes += 1;
      if (event.type !== 'BOOKMARK') stdout.write(await printer.change(event.object));
    }
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 410) return { position: undefined, changes };
    if (error instanceof StatusError || error instanceof OutputError) throw error;
    // The connection broke or nobody answers: both are what reconnecting is for.
  }
  return { position, changes };
}

function versionOf({ object }: WatchEvent<Table | Resource>): string | undefined {
  return object.metadata.resourceVersion || undefined;
}

function selectionOf({ name }: Target, { selector, showLabels }: GetOptions): Record<string, string | undefined> {
  return {
    labelSelector: selector,
    fieldSelector: name === undefined ? undefined : `metadata.name=${name}`,
    includeObject: showLabels === true ? 'Metadata' : 'None',
  };
}

function printerOf(target: Target, options: GetOptions): Printer {
  const { output } = options;
  if (output === undefined || output === 'wide') return tablePrinter(target, options);
  const show = async (object: Resource): Promise<string> =>
    output === 'name' ? `${qualifiedName(target.info, object.metadata.name)}\n` : document(object, output);
  return {
    list: async (body) => (await Promise.all((body as List<Resource>).items.map(show))).join(''),
    change: (object) => show(object as Resource),
  };
}

function tablePrinter({ info }: Target, options: GetOptions): Printer {
  const printer = new TablePrinter(info, styleOf(options, false));
  const print = (table: Table): Promise<string> => Promise.resolve(printer.print(table));
  return { accept: TABLE_ACCEPT, list: (body) => print(body as Table), change: (object) => print(object as Table) };
}

async function document(object: Resource, format: 'json' | 'yaml'): Promise<string> {
  const text = await toDocument(object, format);
  return format === 'yaml' ? `---\n${text}` : text;
}
