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

/** The decision table's guards, in the order in which the machine asks them. */
export const guards = {
  mustStopToDelete: (view: SessionView) => view.desired.deleting && running(view),
  mustDeleteOwn: ({ desired }: SessionView) =>
    desired.deleting && (desired.own?.state === 'Applied' || desired.own?.state === 'Differs'),
  mustAwaitOwn: ({ desired }: SessionView) => desired.deleting && desired.own?.state === 'Terminating',
  isGone: ({ desired }: SessionView) => desired.deleting,
  mustLetGo: (view: SessionView) => {
    const { missing } = view.desired.manifest ?? {};
    return missing !== undefined && !missing.massLoss && (view.desired.prune || !running(view));
  },
  mustStop: (view: SessionView) => view.desired.state === 'Stopped' && running(view),
  isBlocked: ({ desired }: SessionView) => desired.blocked !== undefined,
  mustClaim: ({ desired }: SessionView) => desired.own?.state === 'Absent' || desired.own?.state === 'Differs',
  mayRest: ({ desired }: SessionView) => desired.state === 'Stopped',
  mustStopToRestart: (view: SessionView) => running(view) && restartedAtOf(view.observed) < view.desired.restartedAt,
  isRunning: running,
  mustAwaitSandbox: ({ desired: { target } }: SessionView) => !target?.ready || target.workdir === undefined,
  mustAwaitAgent: ({ observed }: SessionView) => observed.agentFound !== true,
  mustStart: (view: SessionView) => view.observed.process.state === 'None' || isOutOfDate(view),
};
