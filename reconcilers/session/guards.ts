import { isLetGo } from '../shared/missing';
import type { ProcessState, SeenProcess, SessionDesired, SessionObserved } from './types';

export interface SessionView {
  readonly desired: SessionDesired;
  readonly observed: SessionObserved;
}

const running = ({ observed }: SessionView): boolean => observed.process.state === 'Running';

/** Whether there may be a process: it was seen, or nobody could look. */
export function mayRun({ process }: SessionObserved): boolean {
  return process.state === 'Running' || !isSeen(process);
}

/** Somebody could look, and found this. */
export function isSeen(process: ProcessState): process is SeenProcess {
  return process.state !== 'Silent' && process.state !== 'Paused';
}

/** The last request to restart that the process was started after; of one that was not seen none is known to be due. */
function restartedAtOf({ process }: SessionObserved): number {
  if (!isSeen(process)) return Infinity;
  return 'run' in process ? Number(process.run.split('-')[0]) : 0;
}

/** The process was started otherwise than is declared now. */
export function isOutOfDate({ desired, observed: { process } }: SessionView): boolean {
  return 'run' in process && process.run !== desired.run;
}

function isRestartDue({ desired, observed }: SessionView): boolean {
  return restartedAtOf(observed) < desired.restartedAt;
}

function ownStands({ desired: { own } }: SessionView): boolean {
  return own.state === 'Applied' || own.state === 'Differs';
}

/** The sandbox that it has for itself is to be made or changed, whatever goes on in it. */
function claims({ desired: { own, deleting, blocked }, observed }: SessionView, due: boolean): boolean {
  if (deleting || blocked || (observed.elsewhere && !due)) return false;
  return own.wanted && (own.state === 'Absent' || own.state === 'Differs');
}

/** The decision table's guards, in the order in which the machine asks them. */
export const guards = {
  mustStopToDelete: (view: SessionView) => view.desired.deleting && running(view),
  mustDeleteOwn: (view: SessionView) => view.desired.deleting && ownStands(view),
  mustAwaitOwn: ({ desired }: SessionView) => desired.deleting && desired.own.state === 'Terminating',
  isGone: ({ desired, observed }: SessionView) => desired.deleting && !mayRun(observed),
  mustLetGo: ({ desired, observed }: SessionView) =>
    !desired.deleting && isLetGo(desired.manifest, !desired.prune && mayRun(observed)),
  isPaused: (view: SessionView) => view.observed.process.state === 'Paused' && !claims(view, isRestartDue(view)),
  isSilent: (view: SessionView) => view.observed.process.state === 'Silent' && !claims(view, isRestartDue(view)),
  mustStop: (view: SessionView) => view.desired.state === 'Stopped' && running(view),
  mustLeaveForHost: (view: SessionView) => view.desired.placement === 'Host' && running(view) && isRestartDue(view),
  mustDropOwn: (view: SessionView) => !view.desired.own.wanted && ownStands(view) && !running(view),
  isRunningBlocked: (view: SessionView) => view.desired.blocked !== undefined && running(view),
  isBlocked: ({ desired }: SessionView) => desired.blocked !== undefined,
  mustClaim: (view: SessionView) => claims(view, isRestartDue(view)),
  mayRest: ({ desired }: SessionView) => desired.state === 'Stopped',
  mustStopToRestart: (view: SessionView) => running(view) && isRestartDue(view),
  isRunning: running,
  mustAwaitSandbox: ({ desired: { target } }: SessionView) => !target?.ready || target.workdir === undefined,
  mustAwaitAgent: ({ observed }: SessionView) => observed.agentFound !== true,
  mustStart: (view: SessionView) => view.observed.process.state === 'None' || isOutOfDate(view),
};
