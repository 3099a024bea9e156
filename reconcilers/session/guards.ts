import type { SessionDesired, SessionObserved } from './types';

export interface SessionView {
  readonly desired: SessionDesired;
  readonly observed: SessionObserved;
}

const running = ({ observed }: SessionView): boolean => observed.process.state === 'Running';

/** The last request to restart that the process was started after. */
function restartedAtOf({ process }: SessionObserved): number {
  return process.state === 'None' ? 0 : Number(process.run.split('-')[0]);
}

/** The process was started otherwise than is declared now. */
export function isOutOfDate({ desired, observed: { process } }: SessionView): boolean {
  return process.state !== 'None' && process.run !== desired.run;
}

function isRestartDue({ desired, observed }: SessionView): boolean {
  return restartedAtOf(observed) < desired.restartedAt;
}

function ownStands({ desired: { own } }: SessionView): boolean {
  return own.state === 'Applied' || own.state === 'Differs';
}

/** The decision table's guards, in the order in which the machine asks them. */
export const guards = {
  mustStopToDelete: (view: SessionView) => view.desired.deleting && running(view),
  mustDeleteOwn: (view: SessionView) => view.desired.deleting && ownStands(view),
  mustAwaitOwn: ({ desired }: SessionView) => desired.deleting && desired.own.state === 'Terminating',
  isGone: ({ desired }: SessionView) => desired.deleting,
  mustLetGo: (view: SessionView) => {
    const { missing } = view.desired.manifest ?? {};
    return missing !== undefined && !missing.massLoss && (view.desired.prune || !running(view));
  },
  mustStop: (view: SessionView) => view.desired.state === 'Stopped' && running(view),
  mustLeaveForHost: (view: SessionView) => view.desired.placement === 'Host' && running(view) && isRestartDue(view),
  mustDropOwn: (view: SessionView) => !view.desired.own.wanted && ownStands(view) && !running(view),
  isRunningBlocked: (view: SessionView) => view.desired.blocked !== undefined && running(view),
  isBlocked: ({ desired }: SessionView) => desired.blocked !== undefined,
  mustClaim: (view: SessionView) => {
    const { own } = view.desired;
    if (view.observed.elsewhere && !isRestartDue(view)) return false;
    return own.wanted && (own.state === 'Absent' || own.state === 'Differs');
  },
  mayRest: ({ desired }: SessionView) => desired.state === 'Stopped',
  mustStopToRestart: (view: SessionView) => running(view) && isRestartDue(view),
  isRunning: running,
  mustAwaitSandbox: ({ desired: { target } }: SessionView) => !target?.ready || target.workdir === undefined,
  mustAwaitAgent: ({ observed }: SessionView) => observed.agentFound !== true,
  mustStart: (view: SessionView) => view.observed.process.state === 'None' || isOutOfDate(view),
};
