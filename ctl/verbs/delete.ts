import type { Resource } from '../../crds/meta';
import { NotRunningError, StatusError } from '../../controller/api/client';
import { printable } from '../../controller/api/wire/printable';
import { qualifiedPlural, type ResourceInfo } from '../../controller/api/wire/resources';
import type { List } from '../../controller/api/wire/types';
import type { Context, ExitCode } from '../context';
import { UsageError } from '../errors';
import { pathOf } from '../query';
import { parseObjects, type Target } from '../targets';
import { whatStops } from './what-stops';

export interface DeleteOptions {
  /** Whether to return only when the objects are gone. */
  readonly wait: boolean;
  /** Seconds; 0 waits for as long as it takes. */
  readonly timeout: number;
  /** Nobody is asked. */
  readonly yes: boolean;
}

interface Doomed {
  readonly target: Target & { readonly name: string };
  readonly object: Resource;
}

/** `ctl delete`: says what stops, asks whoever sits there, marks the objects and waits until they are gone. */
export async function remove(context: Context, args: readonly string[], options: DeleteOptions): Promise<ExitCode> {
  const doomed: Doomed[] = [];
  for (const target of parseObjects(args)) {
    doomed.push({ target, object: await context.client.send<Resource>({ path: pathOf(target) }) });
  }
  return removeAll(context, doomed, options);
}

/** The same for objects already at hand. */
export async function removeAll(
  context: Context,
  doomed: readonly Doomed[],
  options: DeleteOptions,
): Promise<ExitCode> {
  const stops = await whatStops(
    context.client,
    doomed.map(({ object }) => object),
  );
  for (const line of stops) context.stderr.line(line);
  if (stops.length > 0 && !options.yes && context.confirm !== undefined) {
    if (!(await context.confirm('Delete?'))) {
      context.stderr.line('Nothing was deleted.');
      return 1;
    }
  }
  for (const { target, object } of doomed) {
    await mark(context, target, object);
    const { info, name } = target;
    context.stdout.line(`${singular(info)} "${printable(name)}" deleted`);
  }
  if (options.wait) await waitUntilGone(context, doomed, options.timeout);
  return 0;
}

/** The uid keeps an object that took the name in the meantime from being deleted in its place. */
async function mark({ client }: Context, target: Target, { metadata }: Resource): Promise<void> {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: metadata.uid } };
  try {
    await client.send({ method: 'DELETE', path: pathOf(target), body });
  } catch (error) {
    // Somebody else was faster; gone is what was asked for.
    if (!(error instanceof StatusError && error.status.code === 404)) throw error;
  }
}

async function waitUntilGone(context: Context, doomed: readonly Doomed[], timeoutSeconds: number): Promise<void> {
  const stop = new AbortController();
  const forget =
    timeoutSeconds > 0
      ? context.clock.after(timeoutSeconds * 1000, () => {
          stop.abort();
        })
      : undefined;
  const signal = AbortSignal.any([stop.signal, context.signal]);
  try {
    for (const { target, object } of doomed) {
      await untilGone(context, target, { uid: object.metadata.uid, signal });
    }
  } finally {
    forget?.();
  }
}

interface Awaited {
  readonly uid: string;
  readonly signal: AbortSignal;
}

async function untilGone(context: Context, { info, name = '' }: Target, awaited: Awaited): Promise<void> {
  try {
    if (await isGone(context, { info, name }, awaited)) return;
  } catch (error) {
    if (!(error instanceof NotRunningError)) throw error;
  }
  if (awaited.signal.aborted) {
    throw new UsageError(`timed out waiting for the condition on ${qualifiedPlural(info)}/${name}`);
  }
  throw new Error(`the controller stopped before ${info.singular} "${name}" was gone; it goes on when it is started`);
}

/** Looks first and watches from there, so that a deletion in between is not missed. False when the watch ends before. */
async function isGone({ client }: Context, { info, name }: Target, { uid, signal }: Awaited): Promise<boolean> {
  const fieldSelector = `metadata.name=${name ?? ''}`;
  const { items, metadata } = await client.send<List<Resource>>({ path: info.path, query: { fieldSelector } });
  if (!items.some((object) => object.metadata.uid === uid)) return true;
  const query = { fieldSelector, watch: '1', resourceVersion: metadata.resourceVersion };
  for await (const { type, object } of client.watch<Resource>({ path: info.path, query }, signal)) {
    if (type === 'DELETED' && object.metadata.uid === uid) return true;
  }
  return false;
}

function singular(info: ResourceInfo): string {
  return qualifiedPlural({ ...info, plural: info.singular });
}
