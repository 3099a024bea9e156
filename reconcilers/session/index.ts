import { passReconciler, type KindDeps } from '../../controller/pass-reconciler';
import type { KeyMapper, Reconciler } from '../../controller/reconcile';
import type { Resource } from '../../crds/meta';
import type { SessionSpec } from '../../crds/session';
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
export const sessionWatches: KeyMapper = (object, store) =>
  store
    .list('Session')
    .filter((session) => isNamed(object, session))
    .map(({ metadata }) => ({ kind: 'Session', name: metadata.name }));

function isNamed({ kind, metadata: { name } }: Resource, session: Resource): boolean {
  const { project, sandbox, agent } = session.spec as SessionSpec;
  switch (kind) {
    case 'Settings':
      return true;
    case 'Project':
      return project === name;
    case 'Sandbox':
      return (sandbox ?? session.metadata.name) === name;
    case 'Agent':
      return (agent ?? name) === name;
    default:
      return false;
  }
}
