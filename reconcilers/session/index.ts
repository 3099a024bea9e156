import { passReconciler, type KindDeps } from '../../controller/pass-reconciler';
import type { KeyMapper, Reconciler } from '../../controller/reconcile';
import { desiredSession } from './desired';
import { sessionMachine, type SessionDeps } from './effects';
import { sessionStatus } from './status';

export type { SessionDeps };

/** A session is not forgotten before its process and a sandbox of its own are gone. */
const FINALIZER = 'berth.dev/session';

export function sessionReconciler(deps: SessionDeps & KindDeps): Reconciler {
  return passReconciler(
    {
      kind: 'Session',
      desired: (object) => desiredSession(object, deps.store),
      machine: sessionMachine(deps),
      status: sessionStatus,
      finalizer: FINALIZER,
    },
    deps,
  );
}

/** Whatever a session names may have changed, or have come to be. */
export const sessionWatches: KeyMapper = (object, store) => {
  const concerned = ['Settings', 'Project', 'Sandbox', 'Agent'].includes(object.kind);
  return concerned ? store.list('Session').map(({ metadata }) => ({ kind: 'Session', name: metadata.name })) : [];
};
