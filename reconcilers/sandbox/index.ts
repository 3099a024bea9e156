import { passReconciler, type KindDeps } from '../../controller/pass-reconciler';
import type { KeyMapper, Reconciler } from '../../controller/reconcile';
import type { Resource } from '../../crds/meta';
import type { SandboxSpec } from '../../crds/sandbox';
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
  if (!['Settings', 'SandboxTemplate', 'Project'].includes(object.kind)) return [];
  const concerned = store.list('Sandbox').filter((sandbox) => object.kind !== 'Project' || mayMean(sandbox, object));
  return concerned.map(({ metadata }) => ({ kind: 'Sandbox', name: metadata.name }));
};

/** A project's labels may have changed: whatever selects by labels is concerned by every project. */
function mayMean({ spec }: Resource, project: Resource): boolean {
  const { projects = [], projectSelector } = spec as SandboxSpec;
  return projectSelector !== undefined || projects.includes(project.metadata.name);
}
