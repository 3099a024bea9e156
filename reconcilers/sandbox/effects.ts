import { dirname } from 'node:path';
import { fromPromise } from 'xstate';
import { routeOf } from '../../host/links';
import { expandPath } from '../../host/paths';
import { directoryIdentity, inspectDirectory } from '../../host/inspect';
import { imageNotFound, mountRejected, RuntimeError } from '../../runtimes/errors';
import type { Engine } from '../../runtimes/provider';
import type { CallOptions, PresentContainer, PullProgress } from '../../runtimes/runtime';
import { imageTask, type SandboxDeps } from './deps';
import type { SandboxDesired } from './desired';
import { conflictWithNeighbours } from './neighbours';
import { sandboxPass, type EffectInput, type ImageOutcome } from './machine';
import { observeSandbox } from './observe';
import { NO_STARTS, type RecordedMount, type RecoveryRecord } from './observed';
import { rememberHeld, rememberWritten, writableOf } from '../shared/writable';
import { causeOf } from '../shared/failure';
import { readContainerRecord, writeContainerRecord, writeRecovery } from './records';
import { withHashes } from './spec';

/** A container that doesn't end by itself in this time is killed. Sandboxes are stopped only when somebody asked. */
const STOP_GRACE_MS = 10_000;

/** Which directories the sources are: device and inode by path. */
type Sources = Readonly<Record<string, string>>;

/** The machine of a sandbox with its actors bound to the world: the only awaits of this folder. */
export function sandboxMachine(deps: SandboxDeps) {
  const effect = (run: (view: EffectInput, options: CallOptions) => Promise<void>) =>
    fromPromise<void, EffectInput>(async ({ input, signal }) => guardEngine(deps, input, run(input, { signal })));
  return sandboxPass.provide({
    actors: {
      observe: fromPromise(async ({ input, signal }) => observeSandbox(input, deps, { signal })),
      getImage: fromPromise<ImageOutcome, EffectInput>(async ({ input, signal }) => getImage(input, deps, { signal })),
      create: effect(async (view, options) => create(view, deps, options)),
      start: effect(async (view, options) => start(view, deps, options)),
      stop: effect(async (view, options) => stop(view, deps, options)),
      remove: effect(async (view, options) => remove(view, deps, options)),
      setAside: effect(async ({ desired }) => deps.homes.setAside(homeOwner(desired))),
      letGo: effect(({ desired }) => {
        deps.store.requestDeletion(desired.key);
        return Promise.resolve();
      }),
    },
  });
}

/** An engine that went away under an effect is asked afresh in the next pass. */
async function guardEngine(
  deps: SandboxDeps,
  { desired, observed }: EffectInput,
  effect: Promise<void>,
): Promise<void> {
  try {
    await effect;
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'Unavailable' && observed.probe) {
      deps.engines.forget(observed.probe);
    }
    throw error instanceof Error ? error : new Error(`${desired.containerName}: ${String(error)}`);
  }
}

/** The engine that the container is on. */
async function engineOf({ observed }: EffectInput, deps: SandboxDeps, options: CallOptions): Promise<Engine> {
  if (!observed.probe) throw new Error('no engine was asked');
  return deps.engines.connect({ kind: observed.probe.kind, endpoint: observed.probe.endpoint }, options);
}

async function create(view: EffectInput, deps: SandboxDeps, options: CallOptions): Promise<void> {
  const { desired, spec } = view;
  if (!spec) throw new Error('nothing to create');
  const { runtime } = await deps.engines.connect(desired.engine, options);
  const sources = await prepare(view, deps);
  const nonce = view.observed.nonce;
  const engine = { kind: desired.engine.kind, endpoint: runtime.endpoint };
  const record = { nonce, engine, servedAt: desired.restartedAt ?? 0, mounts: recorded(desired), sources };
  refuseNeighbours(desired, sources, deps);
  writeContainerRecord(deps.store, desired.uid, record);
  const id = await runtime.containers.create(withHashes(spec), options);
  writeContainerRecord(deps.store, desired.uid, { ...record, id });
  deps.tasks.clear(imageTask(view, runtime.endpoint));
}

async function start(view: EffectInput, deps: SandboxDeps, options: CallOptions): Promise<void> {
  const { desired, observed } = view;
  const { runtime } = await engineOf(view, deps, options);
  const sources = await prepare(view, deps);
  const fresh = (desired.restartedAt ?? 0) > observed.recovery.lastAt;
  const { starts } = fresh ? NO_STARTS : observed.recovery;
  refuseNeighbours(desired, sources, deps);
  const record = { starts: starts + 1, lastAt: deps.clock.now(), generation: desired.generation };
  writeRecovery(deps.store, desired.uid, record);
  noteStarted(desired, sources, deps);
  const writable = writableSources(desired);
  rememberWritten(deps.store, writable);
  rememberHeld(
    deps.store,
    desired.key.name,
    writable.flatMap((source) => sources[source] ?? []),
  );
  try {
    await runtime.containers.start(present(view).id, options);
  } catch (error) {
    writeRecovery(deps.store, desired.uid, afterFailure(record, observed.recovery, error));
    throw error;
  }
  deps.tasks.clear(imageTask(view, runtime.endpoint));
}

/** An engine that was not there tried nothing: that start is not used up. */
function afterFailure(record: RecoveryRecord, before: RecoveryRecord, error: unknown): RecoveryRecord {
  if (error instanceof RuntimeError && error.code === 'Unavailable') return before;
  const { cause, slots, detail } = causeOf(error);
  return { ...record, failed: { cause, slots, detail } };
}

/**
 * What runs from here on was started after the request, on these very directories. Written before the start, which a
 * container that does not run is given in any case.
 */
function noteStarted({ uid, restartedAt }: SandboxDesired, sources: Sources, { store }: SandboxDeps): void {
  const record = readContainerRecord(store, uid);
  if (record) writeContainerRecord(store, uid, { ...record, servedAt: restartedAt ?? record.servedAt ?? 0, sources });
}

function writableSources(desired: SandboxDesired): readonly string[] {
  return recorded(desired).flatMap(({ source, readOnly }) => (readOnly ? [] : [source]));
}

function recorded({ mounts }: SandboxDesired): readonly RecordedMount[] {
  const workspace = mounts.filter(({ role }) => role === 'workspace');
  return workspace.map(({ source, readOnly }) => ({ source, readOnly }));
}

/** Nothing is waited for between this and the record that others are refused by: of two that clash, one is first. */
function refuseNeighbours(desired: SandboxDesired, sources: Sources, { store }: SandboxDeps): void {
  const mine = recorded(desired).map((mount) => ({ ...mount, identity: sources[mount.source] }));
  const conflict = conflictWithNeighbours(mine, { name: desired.key.name, store });
  if (conflict) throw mountRejected(conflict.source, conflict.why);
}

async function stop(view: EffectInput, deps: SandboxDeps, options: CallOptions): Promise<void> {
  const { runtime } = await engineOf(view, deps, options);
  await runtime.containers.stop(present(view).id, { ...options, graceMs: STOP_GRACE_MS });
}

async function remove(view: EffectInput, deps: SandboxDeps, options: CallOptions): Promise<void> {
  const { runtime } = await engineOf(view, deps, options);
  await runtime.containers.remove(present(view).id, options);
  writeContainerRecord(deps.store, view.desired.uid, undefined);
  rememberHeld(deps.store, view.desired.key.name, []);
}

/** Before each create and start: every source is there and is still the directory that was accepted. */
async function prepare({ desired, observed }: EffectInput, deps: SandboxDeps): Promise<Sources> {
  await deps.homes.prepare(homeOwner(desired));
  const home = await directoryIdentity(observed.home);
  const identities: Record<string, string> = home === undefined ? {} : { [observed.home]: home };
  for (const { source } of desired.mounts) {
    const state = await inspectDirectory(source);
    if (!state.usable) throw mountRejected(source, state.reason);
    if (state.path !== source) throw mountRejected(source, 'it was replaced by a link since it was accepted');
    identities[source] = state.identity;
  }
  return identities;
}

/** Looks, pulls or loads: never waits for a transfer, which goes on as a task beside the passes. */
async function getImage(view: EffectInput, deps: SandboxDeps, options: CallOptions): Promise<ImageOutcome> {
  const { desired } = view;
  const { reference, source, pullPolicy } = desired.effective.image;
  if (source === 'LocalBuild' || pullPolicy === 'Never') {
    throw imageNotFound(
      reference,
      source === 'LocalBuild' ? 'it is to be built on this machine, and is not there' : 'pullPolicy is Never',
    );
  }
  if (source === 'Archive') await refuseArchive(desired, deps);
  const { runtime } = await deps.engines.connect(desired.engine, options);
  const id = imageTask(view, runtime.endpoint);
  const task = deps.tasks.ensure<PullProgress>(
    id,
    async ({ signal, progress }) => {
      if (source === 'Archive') await runtime.images.load(archivePath(desired, deps), { signal });
      else await runtime.images.pull(reference, { signal, onProgress: progress });
    },
    {
      name: desired.key.name,
      wake: () => {
        deps.wake(desired.key);
      },
    },
  );
  if (task.state === 'running' || task.state === 'absent') return 'Pending';
  if (task.state === 'failed') throw task.error;
  const found = await runtime.images.find(reference, options);
  if (found) return 'Here';
  deps.tasks.clear(id);
  throw imageNotFound(reference, 'what was fetched does not bring it');
}

/** What a session could put there may bring any name, that of other sandboxes' images too. */
async function refuseArchive(desired: SandboxDesired, deps: SandboxDeps): Promise<void> {
  const { links, end } = await routeOf(archivePath(desired, deps));
  const place = writableOf([...links, end], deps.store);
  if (place === undefined) return;
  const detail = `its archive is not read, since sessions may write ${place}`;
  const failure = {
    cause: 'ImagePullFailed',
    slots: { reference: desired.effective.image.reference, detail },
  } as const;
  throw new RuntimeError({ code: 'InvalidSpec', failure, detail });
}

/** As the manifest means it: below the person's home, or beside the file that declares the sandbox. */
function archivePath({ effective, manifest }: SandboxDesired, { person }: SandboxDeps): string {
  const base = manifest?.origin.type === 'File' ? dirname(manifest.origin.path) : '/';
  return expandPath(effective.image.archive ?? '', { home: person, base });
}

function present({ container }: EffectInput): PresentContainer {
  if (!container) throw new Error('there is no container');
  return container;
}

function homeOwner({ key, uid, dedicated }: SandboxDesired) {
  return { name: key.name, uid, dedicated };
}
