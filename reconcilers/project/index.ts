import { fromPromise } from 'xstate';
import type { Clock } from '../../controller/clock';
import { passReconciler, type KindDeps } from '../../controller/pass-reconciler';
import type { KeyMapper, Reconciler } from '../../controller/reconcile';
import type { Resource } from '../../crds/meta';
import type { ProjectStatus } from '../../crds/project';
import type { SandboxSpec, SandboxStatus } from '../../crds/sandbox';
import { GitLooks } from '../../host/git';
import { inspectDirectory } from '../../host/inspect';
import { routeOf } from '../../host/links';
import { refusalOf, type ProtectedPath, type Refusal } from '../../host/paths';
import { writableOf } from '../shared/writable';
import { desiredProject, type ProjectWorld } from './desired';
import { projectPass } from './machine';
import { projectStatus } from './status';
import type { ProjectDesired, ProjectObserved } from './types';

export interface ProjectDeps extends ProjectWorld {
  /** What no sandbox may be given, as it is now: manifests are followed through their links. */
  readonly protectedPaths: () => readonly ProtectedPath[];
  readonly clock: Clock;
}

type Eyes = ProjectDeps & KindDeps & { readonly git: GitLooks };

export function projectReconciler(deps: ProjectDeps & KindDeps): Reconciler {
  const eyes: Eyes = { ...deps, git: new GitLooks(() => deps.clock.now()) };
  const machine = projectPass.provide({
    actors: {
      observe: fromPromise<ProjectObserved, ProjectDesired>(async ({ input, signal }) => observe(input, eyes, signal)),
      letGo: fromPromise<void, ProjectDesired>(({ input }) => {
        deps.store.requestDeletion(input.key);
        return Promise.resolve();
      }),
    },
  });
  const desired = (object: Parameters<typeof desiredProject>[0]): ProjectDesired => desiredProject(object, deps);
  return passReconciler({ kind: 'Project', desired, machine, status: projectStatus }, deps);
}

/** Who uses a project is said in its status, and decides whether it is let go. */
export const projectWatches: KeyMapper = (object, store) => {
  if (object.kind !== 'Sandbox' && object.kind !== 'Settings') return [];
  const concerned = store.list('Project').filter((project) => object.kind === 'Settings' || mayUse(object, project));
  return concerned.map(({ metadata }) => ({ kind: 'Project', name: metadata.name }));
};

function mayUse({ spec, status }: Resource, { metadata: { name }, status: projectStatusNow }: Resource): boolean {
  const { projects = [], projectSelector } = spec as SandboxSpec;
  const mounted = (status as SandboxStatus | undefined)?.projects ?? [];
  const users = (projectStatusNow as ProjectStatus | undefined)?.usedBy ?? [];
  return projectSelector !== undefined || projects.includes(name) || mounted.includes(name) || users.length > 0;
}

async function observe({ path }: ProjectDesired, deps: Eyes, signal: AbortSignal): Promise<ProjectObserved> {
  const directory = await inspectDirectory(path);
  const refusal =
    refusalOf(directory.path, deps.protectedPaths(), directory.usable ? directory.identity : undefined) ??
    (await swappableLink(path, deps.store));
  if (refusal) return { directory, refusal };
  const git = directory.usable ? await deps.git.facts(directory.path, signal) : undefined;
  return { directory, ...(git ? { git } : {}) };
}

/** A link beside which sessions write, or ever did, leads wherever an agent likes: it is never followed. */
async function swappableLink(path: string, store: KindDeps['store']): Promise<Refusal | undefined> {
  const link = writableOf((await routeOf(path)).links, store);
  return link === undefined ? undefined : { what: 'Link', relation: 'LedBy', path: link };
}
