import { dirname } from 'node:path';
import type { StoreReader } from '../../controller/store';
import type { Key, Resource } from '../../crds/meta';
import type { ProjectSpec } from '../../crds/project';
import type { SandboxSpec, SandboxStatus } from '../../crds/sandbox';
import { matchesSelector } from '../../crds/selector';
import { SETTINGS_NAME, type SettingsSpec } from '../../crds/settings';
import { expandPath } from '../../host/paths';
import type { ProjectDesired } from './types';

export interface ProjectWorld {
  readonly store: StoreReader;
  /** The person's home directory, for `~`. */
  readonly home: string;
  /** Where relative paths start when no file declares the project. */
  readonly manifests: string;
}

export function desiredProject(object: Resource, { store, home, manifests }: ProjectWorld): ProjectDesired {
  const key: Key = { kind: 'Project', name: object.metadata.name };
  const manifest = store.manifest(key);
  const base = manifest?.origin.type === 'File' ? dirname(manifest.origin.path) : manifests;
  const settings = store.get({ kind: 'Settings', name: SETTINGS_NAME })?.spec as SettingsSpec | undefined;
  const sandboxes = store.list('Sandbox');
  const having = sandboxes.filter(({ status }) => (status as SandboxStatus | undefined)?.projects?.includes(key.name));
  return {
    key,
    deleting: object.metadata.deletionTimestamp !== undefined,
    manifest,
    prune: settings?.prune === 'Delete',
    path: expandPath((object.spec as ProjectSpec).path, { home, base }),
    usedBy: sandboxes.filter((sandbox) => means(sandbox, object)).map(({ metadata }) => metadata.name),
    mountedIn: having.map(({ metadata }) => metadata.name),
  };
}

/** Whether a sandbox names or selects this project itself; what its template selects is counted once it is mounted. */
function means(sandbox: Resource, project: Resource): boolean {
  const { projects = [], projectSelector } = sandbox.spec as SandboxSpec;
  if (projects.includes(project.metadata.name)) return true;
  return projectSelector !== undefined && matchesSelector(projectSelector, project.metadata.labels);
}
