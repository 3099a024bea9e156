import { passReconciler, type KindDeps } from '../../controller/pass-reconciler';
import type { KeyMapper, Reconciler } from '../../controller/reconcile';
import { desiredSandbox } from './desired';
import type { SandboxDeps } from './deps';
import { sandboxMachine } from './effects';
import { sandboxStatus } from './status';

export type { SandboxDeps };

/** Nothing of a sandbox is forgotten before its container is gone. */
const FINALIZER = 'berth.dev/container';

export function sandboxReconciler(deps: SandboxDeps & KindDeps & { readonly instance: string }): Reconciler {
  return passReconciler(
    {
      kind: 'Sandbox',
      desired: (object) => desiredSandbox(object, deps),
      machine: sandboxMachine(deps),
      status: sandboxStatus,
      finalizer: FINALIZER,
    },
    deps,
  );
}

/** What a sandbox is made of may have changed: its settings, its template, any of its projects. */
export const sandboxWatches: KeyMapper = (object, store) => {
  const concerned = ['Settings', 'SandboxTemplate', 'Project'].includes(object.kind);
  return concerned ? store.list('Sandbox').map(({ metadata }) => ({ kind: 'Sandbox', name: metadata.name })) : [];
};
