import type { ConditionDraft, ConditionStatus } from '../../crds/conditions';
import type { FailureStatus, SANDBOX_CONDITIONS, SandboxConditionType, SandboxReason } from '../../crds/sandbox';
import { LABELS } from '../../runtimes/labels';
import {
  LIMITS,
  type ContainerLimits,
  type ContainerSecurity,
  type ContainerState,
  type LimitName,
  type PresentContainer,
} from '../../runtimes/runtime';
import { acceptedCondition } from '../shared/accepted';
import type { SandboxDesired } from './desired';
import { driftReason } from './drift';
import { isKept, startDelayMs, type SandboxView } from './guards';

export type Draft = ConditionDraft<typeof SANDBOX_CONDITIONS>;

/** How the pass ended, for the conditions. `view` is undefined when observing itself failed. */
export interface SandboxOutcome {
  readonly desired: SandboxDesired;
  readonly view: SandboxView | undefined;
  readonly effect: string | undefined;
  readonly failure: FailureStatus | undefined;
  /** Whether it was ready when it was last looked at. */
  readonly wasReady: boolean;
}

/** All conditions of a sandbox, always all of them, in a fixed order. */
export function sandboxConditions(outcome: SandboxOutcome): readonly Draft[] {
  const { desired, view } = outcome;
  return [
    accepted(desired),
    ready(outcome),
    upToDate(desired, view),
    workspaceReady(desired, view),
    isolated(view),
    limitsEnforced(desired, view),
    networkEnforced(view),
  ];
}

function draft<Type extends SandboxConditionType>(
  type: Type,
  status: ConditionStatus,
  reason: SandboxReason<Type>,
  message: string,
): Draft {
  return { type, status, reason, message };
}

function accepted({ deleting, manifest, blocked }: SandboxDesired): Draft {
  const refused =
    blocked?.reason === 'ReferenceNotFound' || blocked?.reason === 'NotSupportedYet'
      ? { reason: blocked.reason, message: blocked.message }
      : undefined;
  return acceptedCondition({ deleting, manifest, ...(refused ? { refused } : {}) });
}

interface Step {
  readonly reason: SandboxReason<'Ready'>;
  readonly message: string;
}

const STEPS: Readonly<Record<string, Step>> = {
  gettingImage: { reason: 'GettingImage', message: 'Getting the sandbox image.' },
  creating: { reason: 'Creating', message: 'Creating the sandbox.' },
  starting: { reason: 'Starting', message: 'Starting the sandbox.' },
  stopping: { reason: 'Stopping', message: 'Stopping the sandbox.' },
  removing: { reason: 'Progressing', message: 'Removing the old container.' },
};

function ready(outcome: SandboxOutcome): Draft {
  const { desired, view } = outcome;
  const trouble = troubleOf(outcome);
  if (trouble) return trouble;
  if (view?.observed.ownership === 'Foreign')
    return draft('Ready', 'False', 'NameConflict', foreignMessage(desired, view.observed.container));
  const step = stepOf(outcome);
  if (step) return draft('Ready', 'False', step.reason, step.message);
  return (view && (running(view) ?? kept(view))) ?? notRunning(desired);
}

function stepOf({ view, effect, wasReady }: SandboxOutcome): Step | undefined {
  const ended = view && wasReady ? endedFromOutside(view, effect) : undefined;
  return ended ?? STEPS[effect ?? ''];
}

/** It ran when it was last looked at, and nobody asked this controller to end it. */
function endedFromOutside({ container, restartDue }: SandboxView, effect: string | undefined): Step | undefined {
  if (restartDue) return undefined;
  const reason = 'EndedFromOutside';
  if (effect === 'creating') return { reason, message: 'Its container was removed from outside, and is made anew.' };
  if (effect !== 'starting') return undefined;
  if (container?.oomKilled) return { reason, message: 'It ran out of memory and was ended, and is started again.' };
  const code = container?.exitCode === undefined ? '' : ` (exit code ${container.exitCode})`;
  return { reason, message: `Its container was ended from outside${code}, and is started again.` };
}

function troubleOf({ desired, failure }: SandboxOutcome): Draft | undefined {
  if (desired.deleting) return draft('Ready', 'False', 'Terminating', failure?.message ?? 'It is being deleted.');
  return failure && draft('Ready', 'False', failure.cause, `${failure.message} ${failure.remedy}`.trim());
}

function kept(view: SandboxView): Draft | undefined {
  const wanted = view.desired.effective.state === 'Running' && !view.desired.blocked;
  return wanted && isKept(view)
    ? draft('Ready', 'False', 'NameConflict', foreignMessage(view.desired, { present: false }))
    : undefined;
}

function running(view: SandboxView): Draft | undefined {
  const { container } = view;
  if (!container?.running) return undefined;
  if (container.paused) return draft('Ready', 'False', 'Paused', pausedMessage(container, view));
  return draft('Ready', 'True', 'Ready', 'The sandbox runs.');
}

function notRunning({ effective, blocked }: SandboxDesired): Draft {
  if (effective.state === 'Stopped') return draft('Ready', 'False', 'Stopped', 'It is declared stopped.');
  if (blocked) return draft('Ready', 'False', blocked.reason, `${blocked.message}.`);
  return draft('Ready', 'False', 'Progressing', 'The sandbox is coming up.');
}

function foreignMessage({ containerName, instance }: SandboxDesired, container: ContainerState): string {
  const marked = container.present && container.labels[LABELS.instance] === instance;
  const what = marked
    ? 'is there with the marks of this home and no record of it: the state store was lost, or the marks were copied'
    : 'is there that this controller did not make';
  return `A container named ${containerName} ${what}; it is left alone. Remove or rename it.`;
}

/** Somebody did it on purpose: it goes on by their hand, or when it is to be stopped. */
function pausedMessage({ name }: PresentContainer, { observed: { probe } }: SandboxView): string {
  const command = probe?.kind === 'Podman' ? 'podman' : 'docker';
  return `Its container ${name} was paused from outside. It goes on with "${command} unpause ${name}", and is left alone until then.`;
}

/** True while the starts that bring a sandbox back by themselves are used up or still to be waited for. */
export function stoppedFromOutside({ desired, view, effect, failure }: SandboxOutcome): boolean {
  if (!view?.container || view.container.running || effect !== undefined || failure || desired.deleting) return false;
  return desired.effective.state === 'Running' && !desired.blocked && startDelayMs(view) > 0;
}

function upToDate({ blocked, deleting, effective }: SandboxDesired, view: SandboxView | undefined): Draft {
  if (deleting) return draft('UpToDate', 'Unknown', 'NotObserved', 'It is being deleted.');
  if (!view) return draft('UpToDate', 'Unknown', 'NotObserved', 'The container could not be looked at.');
  if (!view.container) return draft('UpToDate', 'Unknown', 'NoContainer', 'There is no container.');
  if (!view.spec && view.drift.length === 0) {
    const why = blocked ? blocked.message : 'its image is not there';
    return draft('UpToDate', 'Unknown', 'NotObserved', `The container can't be compared: ${why}.`);
  }
  const reason = driftReason(view.drift);
  if (reason === 'UpToDate') return draft('UpToDate', 'True', reason, 'The container is what is declared.');
  const parts = view.drift.map(({ part }) => part).join(', ');
  const applies = effective.state === 'Stopped' ? 'Its next start' : 'A restart';
  return draft('UpToDate', 'False', reason, `Changed since the container was made: ${parts}. ${applies} applies it.`);
}

function workspaceReady({ blocked, projects, mounts }: SandboxDesired, view: SandboxView | undefined): Draft {
  if (blocked?.reason === 'ProjectNotUsable')
    return draft('WorkspaceReady', 'False', 'ProjectNotUsable', `${blocked.message}.`);
  if (!view?.container) return draft('WorkspaceReady', 'Unknown', 'NotObserved', 'There is no container to look at.');
  if (projects.length === 0) return draft('WorkspaceReady', 'True', 'NoProjects', 'It has no project.');
  const live = new Set((view.container.facts.mounts ?? []).map(({ source, target }) => `${source} ${target}`));
  const { replaced } = view.observed;
  const absent = mounts
    .filter(({ source, target }) => !live.has(`${source} ${target}`) || replaced.includes(source))
    .map(({ source }) => source);
  if (absent.length === 0) return draft('WorkspaceReady', 'True', 'Mounted', 'Every project is mounted.');
  return draft(
    'WorkspaceReady',
    'False',
    'ProjectNotMounted',
    `Not in the running container: ${absent.sort().join(', ')}.`,
  );
}

function isolated(view: SandboxView | undefined): Draft {
  const { security, user } = view?.container?.facts ?? {};
  if (!security || user === undefined) {
    return draft('Isolated', 'Unknown', 'NotObserved', 'There is no container to look at.');
  }
  const flaw = forbiddenMount(view?.observed.forbidden ?? []) ?? flawOf(security, user);
  return flaw ?? draft('Isolated', 'True', 'Isolated', 'Sessions are an ordinary user without privileges.');
}

function forbiddenMount(sources: readonly string[]): Draft | undefined {
  if (sources.length === 0) return undefined;
  const message = `It has what no sandbox may have: ${sources.join(', ')}. Take it out and restart, or delete the sandbox.`;
  return draft('Isolated', 'False', 'ForbiddenMount', message);
}

function flawOf(security: ContainerSecurity, user: string): Draft | undefined {
  if (isLoose(security)) {
    return draft('Isolated', 'False', 'LoosenedByChoice', 'The container has privileges beyond those of a sandbox.');
  }
  if (!ROOT.has(user.split(':')[0] ?? '')) return undefined;
  return draft('Isolated', 'False', 'RunsAsRoot', 'Sessions are root in the container: files they make are root’s.');
}

/** An image's own user is root unless it says otherwise. */
const ROOT: ReadonlySet<string> = new Set(['', '0', 'root']);

function isLoose({ privileged, capAdd, noNewPrivileges }: ContainerSecurity): boolean {
  return privileged || capAdd.length > 0 || !noNewPrivileges;
}

const LIMIT_FIELDS = {
  cpus: 'milliCpus',
  memory: 'memoryBytes',
  processes: 'processes',
  storage: 'storageBytes',
} as const satisfies Record<LimitName, keyof ContainerLimits>;

function limitsEnforced({ effective }: SandboxDesired, view: SandboxView | undefined): Draft {
  const probe = view?.observed.probe;
  if (!probe || !view.container)
    return draft('LimitsEnforced', 'Unknown', 'NotObserved', 'There is no container to look at.');
  const asked = LIMITS.filter((name) => effective.limits[LIMIT_FIELDS[name]] !== undefined);
  const missing = asked.flatMap((name) => {
    const support = probe.limits[name];
    return support.enforced ? [] : [`${name}: ${support.reason}`];
  });
  if (missing.length > 0) {
    const message = `Not enforced by this engine: ${missing.join('; ')}.`;
    return draft('LimitsEnforced', 'False', 'NotEnforceable', message);
  }
  return liveLimits(effective.limits, asked, { ...view, container: view.container });
}

/** Whether the container that is there has what is declared: an edit reaches it at the next restart only. */
function liveLimits(
  declared: ContainerLimits,
  asked: readonly LimitName[],
  { container, drift, spec, observed }: SandboxView & { readonly container: PresentContainer },
): Draft {
  const live = observed.probe?.notEchoed.includes('limits') ? undefined : container.facts.limits;
  const other = live ? LIMITS.filter((name) => live[LIMIT_FIELDS[name]] !== declared[LIMIT_FIELDS[name]]) : [];
  if (other.length > 0 || drift.some(({ part }) => part === 'limits')) {
    const which = other.length > 0 ? other.join(', ') : 'limits';
    const message = `The container was made with other limits (${which}). A restart applies those that are declared.`;
    return draft('LimitsEnforced', 'False', 'LimitsChanged', message);
  }
  if (!live && !spec)
    return draft('LimitsEnforced', 'Unknown', 'NotObserved', 'The container can’t be compared with what is declared.');
  if (asked.length === 0) return draft('LimitsEnforced', 'True', 'Unset', 'No limit is set.');
  return draft('LimitsEnforced', 'True', 'Enforced', 'Every limit that is set is enforced.');
}

function networkEnforced(view: SandboxView | undefined): Draft {
  const network = view?.container?.facts.network;
  if (network === undefined)
    return draft('NetworkEnforced', 'Unknown', 'NotObserved', 'There is no container to look at.');
  if (network === 'none')
    return draft('NetworkEnforced', 'True', 'Enforced', 'The container has no network but its own loopback.');
  return draft('NetworkEnforced', 'False', 'NotEnforced', `The container is on the network ${network}.`);
}
