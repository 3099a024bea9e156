import type { DriftStatus } from '../../crds/sandbox';
import type { ContainerSpec, PresentContainer } from '../../runtimes/runtime';
import { isLetGo } from '../shared/missing';
import type { SandboxDesired } from './desired';
import { driftOf } from './drift';
import type { RecoveryRecord, SandboxObserved } from './observed';
import { containerSpec } from './spec';

/** What the decision table reads: what is declared, what is there, and how the two differ. */
export interface SandboxView {
  readonly desired: SandboxDesired;
  readonly observed: SandboxObserved;
  /** Our container; undefined when there is none. */
  readonly container: PresentContainer | undefined;
  /** What should be there; undefined while something blocks it or the image is not known. */
  readonly spec: ContainerSpec | undefined;
  readonly drift: readonly DriftStatus[];
  /** Somebody asked for a restart of the run that goes on now. */
  readonly restartDue: boolean;
}

/** Waits before each start since the sandbox was last healthy: the first start, then three that bring it back. */
const START_DELAYS_MS = [0, 0, 5_000, 15_000] as const;

/** A container that ran this long is healthy, and gets all its starts again. */
const HEALTHY_MS = 60_000;

export function viewOf(desired: SandboxDesired, observed: SandboxObserved): SandboxView {
  const container = observed.ownership === 'Ours' && observed.container.present ? observed.container : undefined;
  const spec = specFor(desired, observed);
  return {
    desired,
    observed,
    container,
    spec,
    drift: driftFor(container, spec, observed),
    restartDue: container !== undefined && (desired.restartedAt ?? 0) > observed.servedAt,
  };
}

function specFor(
  desired: SandboxDesired,
  { image, probe, home, nonce, user }: SandboxObserved,
): ContainerSpec | undefined {
  if (desired.blocked || !image || !probe) return undefined;
  return containerSpec({ desired, probe, imageId: image.id, home, nonce, user });
}

function driftFor(
  container: PresentContainer | undefined,
  spec: ContainerSpec | undefined,
  { moved, probe, image, containerImage, replaced }: SandboxObserved,
): readonly DriftStatus[] {
  if (!container || !probe) return [];
  if (moved) return [{ part: 'runtime', reason: 'RuntimeChanged', running: probe.kind, declared: 'another engine' }];
  const drift = spec ? driftOf({ container, spec, probe, image: containerImage ?? image }) : [];
  return drift.some(({ part }) => part === 'mounts') ? drift : [...drift, ...driftOfSources(replaced)];
}

/** The paths are the same, but what is mounted is no longer what is there. */
function driftOfSources(replaced: readonly string[]): readonly DriftStatus[] {
  if (replaced.length === 0) return [];
  const running = `${replaced.join(', ')} as it was at the start`;
  return [{ part: 'mounts', reason: 'MountsChanged', running, declared: `${replaced.join(', ')} as it is now` }];
}

const running = ({ container }: SandboxView): boolean => container?.running === true;
const wanted = ({ desired }: SandboxView): boolean => desired.effective.state === 'Running';

/** Milliseconds until the next start may be tried; Infinity when all are used up. */
export function startDelayMs({ desired, observed }: SandboxView): number {
  const { starts, lastAt } = observed.recovery;
  if ((desired.restartedAt ?? 0) > lastAt) return 0;
  const delay = START_DELAYS_MS[starts];
  return delay === undefined ? Infinity : Math.max(0, lastAt + delay - observed.now);
}

/** Milliseconds until a container that was brought back counts as healthy; 0 when there is nothing to wait for. */
export function healthyInMs({ container, observed }: SandboxView): number {
  if (!container?.running || observed.recovery.starts === 0) return 0;
  return Math.max(0, healthyAt(container, observed.recovery) - observed.now);
}

/** Of the engine's time and ours the later one: a container that ends at once must not seem old to a slow clock. */
export function healthyAt({ startedAt }: PresentContainer, { lastAt }: RecoveryRecord): number {
  return Math.max(lastAt, Date.parse(startedAt ?? '') || 0) + HEALTHY_MS;
}

/** What is to be replaced can't be while another has the name of the one to come: it is kept. */
export function isKept({ observed, container, drift, restartDue }: SandboxView): boolean {
  return observed.nameHeld && drift.length > 0 && (restartDue || container?.running !== true);
}

/** The decision table's guards, in the order in which the machine asks them. */
export const guards = {
  mustStopToDelete: (view: SandboxView) => view.desired.deleting && running(view),
  mustRemoveToDelete: (view: SandboxView) => view.desired.deleting && view.container !== undefined,
  mustSetAside: (view: SandboxView) => view.desired.deleting && view.observed.hasFiles,
  isGone: (view: SandboxView) => view.desired.deleting,
  mustLetGo: (view: SandboxView) => isLetGo(view.desired.manifest, !view.desired.prune && running(view)),
  isForeign: (view: SandboxView) => view.observed.ownership === 'Foreign',
  mustStop: (view: SandboxView) => !wanted(view) && running(view),
  mayRest: (view: SandboxView) => !wanted(view),
  isBlocked: (view: SandboxView) => view.desired.blocked !== undefined,
  isKept,
  mustGetImage: ({ observed, container, restartDue }: SandboxView) =>
    (!observed.image || !observed.imageIsFresh) && (!container || restartDue),
  mustStopToRestart: (view: SandboxView) => view.restartDue && running(view),
  mustRemoveToReplace: (view: SandboxView) =>
    view.drift.length > 0 && !running(view) && (!view.observed.moved || view.restartDue),
  mustCreate: (view: SandboxView) => !view.container,
  mustWaitToStart: (view: SandboxView) => !running(view) && startDelayMs(view) > 0,
  mustStart: (view: SandboxView) => !running(view),
  mustSeeItHealthy: (view: SandboxView) => healthyInMs(view) > 0,
};
