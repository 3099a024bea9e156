import { findCondition, isTrue } from '../../crds/conditions';
import { mergeSandbox, resolveSandbox, type EffectiveSandboxSpec } from '../../crds/effective';
import { RESTARTED_AT, type Key, type Resource } from '../../crds/meta';
import type { ProjectSpec, ProjectStatus } from '../../crds/project';
import type { SandboxReason, SandboxSpec } from '../../crds/sandbox';
import { SANDBOX_DEFAULTS } from '../../crds/defaults';
import type { SandboxTemplateSpec } from '../../crds/sandbox-template';
import { matchesSelector } from '../../crds/selector';
import { SETTINGS_NAME, type SettingsSpec } from '../../crds/settings';
import { unsupportedYet } from '../../crds/unsupported';
import type { ManifestState, StoreReader } from '../../controller/store';
import type { EngineChoice } from '../../runtimes/provider';
import type { Mount } from '../../runtimes/runtime';
import { writableAbove } from '../shared/writable';
import { planMounts, type ProjectMount } from './mounts';

/** Why no container can be made as declared. What runs is left as it is. */
export interface Blocked {
  readonly reason: SandboxReason<'Ready'>;
  readonly message: string;
}

/** Everything the store says about one sandbox, resolved: no engine was asked for it. */
export interface SandboxDesired {
  readonly key: Key;
  readonly uid: string;
  readonly generation: number;
  readonly deleting: boolean;
  readonly manifest: ManifestState | undefined;
  /** Running work whose manifest has vanished is let go instead of held. */
  readonly prune: boolean;
  /** Milliseconds since the epoch of the last request to restart. */
  readonly restartedAt?: number;
  /** Made for one session, and owned by it. */
  readonly dedicated: boolean;
  readonly containerName: string;
  readonly instance: string;
  readonly engine: EngineChoice;
  readonly effective: EffectiveSandboxSpec;
  /** The projects that are meant, sorted by name; without a path while one is not usable. */
  readonly projects: readonly { readonly name: string; readonly path?: string }[];
  /** Without the sandbox's own home. */
  readonly mounts: readonly Mount[];
  readonly blocked?: Blocked;
}

export interface SandboxWorld {
  readonly store: StoreReader;
  readonly instance: string;
}

/** Deterministic, so that a crash between creating and recording leaves nothing unfindable. At most 80 characters. */
export function containerName(name: string, instance: string): string {
  return `berth-${name}-${instance.slice(0, 8)}`;
}

export function desiredSandbox(object: Resource, world: SandboxWorld): SandboxDesired {
  const { name, uid, generation, deletionTimestamp, ownerReferences } = object.metadata;
  const key: Key = { kind: 'Sandbox', name };
  const settings = settingsOf(world.store);
  const dedicated = (ownerReferences ?? []).length > 0;
  return {
    key,
    uid,
    generation,
    deleting: deletionTimestamp !== undefined,
    manifest: world.store.manifest(key),
    prune: settings.prune === 'Delete',
    ...restartOf(object),
    dedicated,
    containerName: containerName(name, world.instance),
    instance: world.instance,
    engine: settings.runtime,
    ...resolve(object.spec as SandboxSpec, { name, settings, store: world.store, dedicated }),
  };
}

type Resolved = Pick<SandboxDesired, 'effective' | 'projects' | 'mounts' | 'blocked'>;

function resolve(
  spec: SandboxSpec,
  {
    name,
    settings,
    store,
    dedicated,
  }: { name: string; settings: SettingsSpec; store: StoreReader; dedicated: boolean },
): Resolved {
  const template = templateOf(spec, settings, store);
  const projects = projectsOf(mergeSandbox(spec, template.spec), store);
  const mountPath = dedicated ? SANDBOX_DEFAULTS.dedicatedMountPath : SANDBOX_DEFAULTS.mountPath;
  const effective = resolveSandbox(spec, template.spec, { mountPath });
  const plan = planMounts(projects.mounts, effective.mountPath, (path) => writableAbove(path, store, name));
  const blocked = template.blocked ?? projects.blocked ?? unsupported(spec, template.spec) ?? conflictOf(plan.conflict);
  return {
    effective,
    projects: projects.refs,
    mounts: plan.conflict === undefined ? plan.mounts : [],
    ...(blocked ? { blocked } : {}),
  };
}

function restartOf({ metadata }: Resource): Pick<SandboxDesired, 'restartedAt'> {
  const restartedAt = Date.parse(metadata.annotations?.[RESTARTED_AT] ?? '');
  return Number.isNaN(restartedAt) ? {} : { restartedAt };
}

function settingsOf(store: StoreReader): SettingsSpec {
  const settings = store.get({ kind: 'Settings', name: SETTINGS_NAME });
  if (!settings) throw new Error('Settings/default is built in and can not be absent');
  return settings.spec as SettingsSpec;
}

function templateOf(spec: SandboxSpec, settings: SettingsSpec, store: StoreReader) {
  const name = spec.template ?? settings.template;
  const template = store.get({ kind: 'SandboxTemplate', name });
  if (template) return { spec: template.spec as SandboxTemplateSpec };
  return { spec: {}, blocked: blockedBy('ReferenceNotFound', `SandboxTemplate ${name} does not exist`) };
}

interface Projects {
  readonly refs: SandboxDesired['projects'];
  readonly mounts: readonly ProjectMount[];
  readonly blocked?: Blocked;
}

/** Whichever projects are named or selected now, and the first reason why they can't all be mounted. */
function projectsOf(spec: SandboxSpec, store: StoreReader): Projects {
  const { projectSelector } = spec;
  const selected = store
    .list('Project')
    .filter(({ metadata }) => projectSelector && matchesSelector(projectSelector, metadata.labels))
    .map(({ metadata }) => metadata.name);
  const names = [...new Set([...(spec.projects ?? []), ...selected])].sort();
  const found = names.map((name) => projectMount(name, store.get({ kind: 'Project', name })));
  const mounts = found.flatMap((one) => ('reason' in one ? [] : [one]));
  const refs = names.map((name) => mounts.find((mount) => mount.name === name) ?? { name });
  const reasons = found.filter((one) => 'reason' in one);
  const first = reasons.find(({ reason }) => reason === 'ReferenceNotFound') ?? reasons[0];
  if (!first) return { refs, mounts };
  const message = reasons.map((each) => each.message).join('; ');
  return { refs, mounts, blocked: { reason: first.reason, message } };
}

function projectMount(name: string, project: Resource | undefined): ProjectMount | Blocked {
  if (!project) return blockedBy('ReferenceNotFound', `Project ${name} does not exist`);
  const status = project.status as ProjectStatus | undefined;
  if (status?.observedGeneration !== project.metadata.generation) {
    return blockedBy('Progressing', `Project ${name} is being looked at`);
  }
  if (!isTrue(status.conditions, 'Ready') || status.path === undefined) {
    const why = findCondition(status.conditions, 'Ready')?.message ?? 'nobody could look at it';
    return blockedBy('ProjectNotUsable', `Project ${name} is not usable: ${why.replace(/\.$/, '')}`);
  }
  return { name, path: status.path, readOnly: (project.spec as ProjectSpec).access === 'ReadOnly' };
}

function unsupported(spec: SandboxSpec, template: SandboxTemplateSpec): Blocked | undefined {
  const sentences = unsupportedYet('Sandbox', mergeSandbox(spec, template));
  return sentences.length > 0 ? blockedBy('NotSupportedYet', sentences.join('; ')) : undefined;
}

function conflictOf(conflict: string | undefined): Blocked | undefined {
  return conflict === undefined ? undefined : blockedBy('ProjectNotUsable', conflict);
}

function blockedBy(reason: Blocked['reason'], message: string): Blocked {
  return { reason, message };
}
