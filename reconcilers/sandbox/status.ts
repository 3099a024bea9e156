import type { PassReport, StatusDraft } from '../../controller/pass-reconciler';
import type { Stage } from '../../crds/failures';
import { STAGES } from '../../crds/failures';
import { isTrue } from '../../crds/conditions';
import type { FailureStatus, LimitStatus, MountStatus, SANDBOX_CONDITIONS, SandboxStatus } from '../../crds/sandbox';
import { formatMemory } from '../../crds/units';
import { RuntimeError } from '../../runtimes/errors';
import { LIMITS, type ContainerLimits, type EngineProbe, type PresentContainer } from '../../runtimes/runtime';
import { failureStatus } from '../shared/failure';
import { pathInside } from '../shared/path-inside';
import { sandboxConditions, stoppedFromOutside, type SandboxOutcome } from './conditions';
import type { SandboxDesired } from './desired';
import type { SandboxView } from './guards';
import { HOME_TARGET } from './mounts';
import type { SandboxObserved, StartFailure } from './observed';
import { isTaken } from './spec';

type Report = PassReport<SandboxDesired, SandboxObserved, SandboxView>;

/** Status of a sandbox from one pass: what was measured, never what was asked for. */
export function sandboxStatus(report: Report): StatusDraft<typeof SANDBOX_CONDITIONS> {
  const { desired, effect } = report;
  const view = report.view ?? undefined;
  const wasReady = isTrue((report.object.status as Partial<SandboxStatus> | undefined)?.conditions, 'Ready');
  const outcome: SandboxOutcome = { desired, view, effect, failure: undefined, wasReady };
  const failure = failureOf(report, outcome);
  const conditions = sandboxConditions({ ...outcome, failure });
  return { conditions, fields: { ...(view ? measured(view) : lastMeasured(report)), ...standing(effect, failure) } };
}

const STAGE_OF_EFFECT: Readonly<Record<string, Stage>> = {
  gettingImage: 'GettingImage',
  creating: 'Creating',
  removing: 'Creating',
  starting: 'Starting',
  stopping: 'Starting',
};

function failureOf(report: Report, outcome: SandboxOutcome): FailureStatus | undefined {
  const before = (report.object.status as SandboxStatus | undefined)?.failure;
  const runtime = report.desired.engine.kind;
  if (report.ending === 'failed') {
    const stage = STAGE_OF_EFFECT[report.effect ?? ''] ?? 'CheckingRuntime';
    return failureStatus({ error: report.error, stage, runtime, before, at: report.at });
  }
  if (!stoppedFromOutside(outcome)) return undefined;
  const { detail, ...failure } = report.observed?.recovery.failed ?? stopped(outcome);
  const error = new RuntimeError({ code: 'Conflict', failure, detail });
  return failureStatus({ error, stage: 'Starting', runtime, before, at: report.at });
}

function stopped({ desired, view }: SandboxOutcome): StartFailure {
  const detail = `exit code ${view?.container?.exitCode ?? 'unknown'}`;
  return { cause: 'SandboxStopped', slots: { name: view?.container?.name ?? desired.containerName }, detail };
}

function standing(effect: string | undefined, failure: FailureStatus | undefined): Partial<SandboxStatus> {
  const stage = failure?.stage ?? STAGE_OF_EFFECT[effect ?? ''];
  return { ...(stage && STAGES.includes(stage) ? { stage } : {}), ...(failure ? { failure } : {}) };
}

/** Nothing could be looked at: what was last measured stays on record, and the conditions say that it is not known. */
function lastMeasured({ object }: Report): Partial<SandboxStatus> {
  const { observedGeneration, conditions, stage, failure, ...rest } = (object.status ?? {}) as Partial<SandboxStatus>;
  return rest;
}

function measured(view: SandboxView): Partial<SandboxStatus> {
  const { container, observed, desired, drift } = view;
  const { probe, recovery } = observed;
  return {
    ...(probe ? { runtime: { kind: probe.kind, version: probe.version, endpoint: probe.endpoint } } : {}),
    ...(container ? ofContainer(container, view) : {}),
    ...(drift.length > 0 ? { drift } : {}),
    ...(recovery.starts > 1 ? { attempts: recovery.starts - 1 } : {}),
    ...(observed.progress ? { progress: observed.progress } : {}),
    ...(probe ? { limits: limits(desired, probe, container) } : {}),
  };
}

function ofContainer(container: PresentContainer, { desired, observed }: SandboxView): Partial<SandboxStatus> {
  const mounts = mountsOf(container);
  return {
    containerId: container.id,
    containerName: container.name,
    ...(container.startedAt === undefined ? {} : { startedAt: container.startedAt }),
    image: { reference: imageName(desired, container, observed), id: container.facts.imageId },
    mounts,
    network: { mode: networkMode(desired, container), implementation: container.facts.network ?? 'unknown' },
    projects: desired.projects.filter((project) => isMounted(project, mounts)).map(({ name }) => name),
  };
}

/** What the container has: both modes without connections outward are the engine's one network without any. */
function networkMode({ effective }: SandboxDesired, { facts }: PresentContainer): string {
  if (facts.network === undefined) return 'Unknown';
  if (facts.network !== 'none') return 'Outbound';
  return effective.network.mode === 'Outbound' ? 'None' : effective.network.mode;
}

/** The reference is only said when the container really was made from what it names now. */
function imageName({ effective }: SandboxDesired, { facts }: PresentContainer, { image }: SandboxObserved): string {
  return image?.id === facts.imageId ? effective.image.reference : facts.imageId;
}

function mountsOf({ facts }: PresentContainer): readonly MountStatus[] {
  const mounts = (facts.mounts ?? []).map(({ source, target, readOnly }) => {
    return { role: roleOf(target), source, target, readOnly };
  });
  return mounts.sort((a, b) => (a.target < b.target ? -1 : 1));
}

function roleOf(target: string): string {
  return target === HOME_TARGET ? 'home' : 'workspace';
}

function isMounted({ path }: { readonly path?: string }, mounts: readonly MountStatus[]): boolean {
  return path !== undefined && pathInside(path, mounts) !== undefined;
}

function limits(
  { effective }: SandboxDesired,
  probe: EngineProbe,
  container: PresentContainer | undefined,
): readonly LimitStatus[] {
  return LIMITS.flatMap((name) => {
    const requested = limitText(name, effective.limits);
    if (requested === undefined) return [];
    const support = probe.limits[name];
    const effectiveText = isTaken(support) ? limitText(name, container?.facts.limits ?? {}) : undefined;
    return [
      {
        name,
        requested,
        ...(effectiveText === undefined ? {} : { effective: effectiveText }),
        enforced: support.enforced ? ('True' as const) : ('False' as const),
        ...(support.enforced ? {} : { reason: support.reason }),
      },
    ];
  });
}

function limitText(name: (typeof LIMITS)[number], limits: ContainerLimits): string | undefined {
  const texts = {
    cpus: limits.milliCpus === undefined ? undefined : String(limits.milliCpus / 1000),
    memory: limits.memoryBytes === undefined ? undefined : formatMemory(limits.memoryBytes),
    processes: limits.processes === undefined ? undefined : String(limits.processes),
    storage: limits.storageBytes === undefined ? undefined : formatMemory(limits.storageBytes),
  };
  return texts[name];
}
