import { directoryIdentity, ownDirectoryIdentity } from '../../host/inspect';
import { refusalOf } from '../../host/paths';
import { RuntimeError } from '../../runtimes/errors';
import type { Engine, EngineChoice } from '../../runtimes/provider';
import type { CallOptions, ContainerState, PullProgress } from '../../runtimes/runtime';
import type { SandboxDesired } from './desired';
import { imageTask, type SandboxDeps } from './deps';
import { healthyAt } from './guards';
import { NO_STARTS, ownershipOf, type ContainerRecord, type RecoveryRecord, type SandboxObserved } from './observed';
import { mountedAbove, rememberHeld } from '../shared/writable';
import { HOME_TARGET } from './mounts';
import { readContainerRecord, readRecovery, writeContainerRecord, writeRecovery } from './records';

/** One look at everything a decision about this sandbox needs. An engine that can't be asked is an error, never absence. */
export async function observeSandbox(
  desired: SandboxDesired,
  deps: SandboxDeps,
  options: CallOptions,
): Promise<SandboxObserved> {
  const record = readContainerRecord(deps.store, desired.uid);
  const own = await observeOwn(desired, record, deps);
  if (desired.deleting && !record) return own;
  const moved = record !== undefined && !isChosen(record, desired.engine);
  const engine = await deps.engines.connect(moved ? record.engine : desired.engine, options);
  try {
    const { container, ownership, nameHeld } = await findContainer(desired, record, engine, options);
    const images = await observeImages({ desired, engine, container, moved, deps }, options);
    const recovery = recoveryOf(desired, container, deps);
    noteSighting(desired, { container, record, deps }, ownership);
    return {
      ...own,
      nonce: nonceOf(container, record) ?? deps.newNonce(),
      probe: engine.probe,
      container,
      forbidden: forbiddenSources(desired.key.name, container, deps),
      ownership,
      nameHeld,
      ...images,
      moved,
      recovery,
    };
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'Unavailable') deps.engines.forget(engine.runtime);
    throw error;
  }
}

/** What is known without an engine. A sandbox for which nothing was ever asked of one has no container. */
async function observeOwn(
  desired: SandboxDesired,
  record: ContainerRecord | undefined,
  deps: SandboxDeps,
): Promise<SandboxObserved> {
  const owner = { name: desired.key.name, uid: desired.uid, dedicated: desired.dedicated };
  return {
    container: { present: false },
    ownership: 'None',
    nameHeld: false,
    imageIsFresh: true,
    moved: false,
    nonce: record?.nonce ?? '',
    servedAt: record?.servedAt ?? 0,
    replaced: await replacedSources(record, deps.homes.path(owner)),
    forbidden: [],
    home: deps.homes.path(owner),
    hasFiles: desired.deleting && (await deps.homes.exist(owner)),
    recovery: NO_STARTS,
    now: deps.clock.now(),
    user: deps.user,
  };
}

type Found = Pick<SandboxObserved, 'container' | 'ownership' | 'nameHeld'>;

/** By its name; where that is nobody's or somebody else's, by the id on record: ours may have been renamed. */
async function findContainer(
  { containerName }: SandboxDesired,
  record: ContainerRecord | undefined,
  { runtime: { containers } }: Engine,
  options: CallOptions,
): Promise<Found> {
  const named = await containers.observe(containerName, options);
  const ownership = ownershipOf(named, record);
  if (ownership === 'Ours' || record?.id === undefined) return { container: named, ownership, nameHeld: false };
  const renamed = await containers.observe(record.id, options);
  if (ownershipOf(renamed, record) !== 'Ours') return { container: named, ownership, nameHeld: false };
  return { container: renamed, ownership: 'Ours', nameHeld: named.present };
}

interface Sighting {
  readonly container: ContainerState;
  readonly record: ContainerRecord | undefined;
  readonly deps: SandboxDeps;
}

function noteSighting(desired: SandboxDesired, sighting: Sighting, ownership: SandboxObserved['ownership']): void {
  const { container, record, deps } = sighting;
  if (ownership === 'Ours') keepId(desired, sighting);
  if (!container.present && record?.id !== undefined) freeMounts(desired, record, deps);
}

/** Found by its nonce alone after its creation went unanswered: from here on a copy of its labels is somebody else's. */
function keepId({ uid }: SandboxDesired, { container, record, deps }: Sighting): void {
  if (!container.present || !record || record.id !== undefined) return;
  writeContainerRecord(deps.store, uid, { ...record, id: container.id });
}

/** The container is gone: what it had mounted is in nobody's way. One that was only asked for may still come. */
function freeMounts(
  { uid, key }: SandboxDesired,
  { mounts, ...record }: ContainerRecord,
  { store }: SandboxDeps,
): void {
  if (!mounts) return;
  writeContainerRecord(store, uid, record);
  rememberHeld(store, key.name, []);
}

/**
 * The mark of the next container. One that was never seen on a container is used again, since that request may still be
 * under way; one that was could have been copied.
 */
function nonceOf(container: ContainerState, record: ContainerRecord | undefined): string | undefined {
  return container.present || record?.id === undefined ? record?.nonce : undefined;
}

/** A bind keeps the directory it was given, whatever is at the path later: only its identity tells. */
async function replacedSources(record: ContainerRecord | undefined, home: string): Promise<readonly string[]> {
  const replaced: string[] = [];
  for (const [source, identity] of Object.entries(record?.sources ?? {})) {
    const now = source === home ? ownDirectoryIdentity(home) : await directoryIdentity(source);
    if (now !== identity) replaced.push(source);
  }
  return replaced.sort();
}

/** What was in order when it was mounted need not be now: manifests may have come to lie there. */
function forbiddenSources(
  name: string,
  container: ContainerState,
  { protectedPaths, store }: SandboxDeps,
): readonly string[] {
  const mounts = container.present ? (container.facts.mounts ?? []) : [];
  const workspace = mounts.filter(({ type, target }) => type === 'bind' && target !== HOME_TARGET);
  if (workspace.length === 0) return [];
  const forbidden = protectedPaths();
  const isForbidden = (source: string): boolean =>
    refusalOf(source, forbidden) !== undefined || mountedAbove(source, store, name) !== undefined;
  return workspace.flatMap(({ source }) => (isForbidden(source) ? [source] : [])).sort();
}

/** An endpoint that nobody named is whichever was found: then only the kind says where a container belongs. */
function isChosen({ engine }: ContainerRecord, choice: EngineChoice): boolean {
  return engine.kind === choice.kind && (choice.endpoint === undefined || choice.endpoint === engine.endpoint);
}

interface ImageQuestion {
  readonly desired: SandboxDesired;
  readonly engine: Engine;
  readonly container: ContainerState;
  readonly moved: boolean;
  readonly deps: SandboxDeps;
}

async function observeImages(
  { desired, engine, container, moved, deps }: ImageQuestion,
  options: CallOptions,
): Promise<Pick<SandboxObserved, 'image' | 'containerImage' | 'imageIsFresh' | 'progress'>> {
  if (desired.deleting) return { imageIsFresh: true };
  const chosen = moved ? await deps.engines.connect(desired.engine, options) : engine;
  const image = await chosen.runtime.images.find(desired.effective.image.reference, options);
  const other = container.present && container.facts.imageId !== image?.id ? container.facts.imageId : undefined;
  const containerImage = other === undefined ? undefined : await engine.runtime.images.find(other, options);
  return {
    ...taskOf(desired, chosen, deps),
    ...(image ? { image } : {}),
    ...(containerImage ? { containerImage } : {}),
  };
}

/** With the policy Always, an image is fresh once its task has fetched it for the container to come. */
function taskOf(
  desired: SandboxDesired,
  { runtime }: Engine,
  { tasks }: SandboxDeps,
): Pick<SandboxObserved, 'imageIsFresh' | 'progress'> {
  const { source, pullPolicy } = desired.effective.image;
  const task = tasks.peek(imageTask({ desired }, runtime.endpoint));
  const imageIsFresh = source !== 'Registry' || pullPolicy !== 'Always' || task.state === 'done';
  const progress = task.state === 'running' ? (task.progress as PullProgress | undefined) : undefined;
  return { imageIsFresh, ...(progress ? { progress } : {}) };
}

/** A container that has run for a while has its starts given back. */
function recoveryOf({ uid, generation }: SandboxDesired, container: ContainerState, deps: SandboxDeps): RecoveryRecord {
  const record = readRecovery(deps.store, uid, generation);
  if (record.starts === 0 || !container.present || !container.running) return record;
  if (healthyAt(container, record) > deps.clock.now()) return record;
  writeRecovery(deps.store, uid, undefined);
  return NO_STARTS;
}
