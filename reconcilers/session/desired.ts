import type { StoreReader } from '../../controller/store';
import type { AgentSpec } from '../../crds/agent';
import { findCondition, isTrue } from '../../crds/conditions';
import { API_VERSION, RESTARTED_AT, type Declaration, type Key, type Resource } from '../../crds/meta';
import type { ProjectStatus } from '../../crds/project';
import type { SandboxSpec, SandboxStatus } from '../../crds/sandbox';
import type { SessionSpec } from '../../crds/session';
import { SETTINGS_NAME, type SettingsSpec } from '../../crds/settings';
import { unsupportedYet } from '../../crds/unsupported';
import { hashOf } from '../shared/hash';
import { pathInside } from '../shared/path-inside';
import type { OwnState, SandboxTarget, SessionBlocked, SessionDesired } from './types';

/** Everything the store says about one session, resolved. */
export function desiredSession(object: Resource, store: StoreReader): SessionDesired {
  const spec = object.spec as SessionSpec;
  const { name, uid, deletionTimestamp, annotations } = object.metadata;
  const key: Key = { kind: 'Session', name };
  const settings = store.get({ kind: 'Settings', name: SETTINGS_NAME })?.spec as SettingsSpec;
  const restartedAt = Date.parse(annotations?.[RESTARTED_AT] ?? '') || 0;
  const resolved = resolve(object, settings, store);
  return {
    key,
    uid,
    deleting: deletionTimestamp !== undefined,
    manifest: store.manifest(key),
    prune: settings.prune === 'Delete',
    state: spec.state,
    project: spec.project,
    ...resolved,
    restartedAt,
    run: `${restartedAt}-${hashOf([resolved.command, spec.project])}`,
  };
}

type Resolved = Pick<
  SessionDesired,
  | 'placement'
  | 'agent'
  | 'command'
  | 'installHint'
  | 'sandbox'
  | 'sandboxSays'
  | 'sandboxRestartedAt'
  | 'own'
  | 'target'
  | 'blocked'
>;

function resolve(object: Resource, settings: SettingsSpec, store: StoreReader): Resolved {
  const spec = object.spec as SessionSpec;
  const placement = placementOf(spec, settings);
  const agentName = spec.agent ?? settings.agent;
  const agent = store.get({ kind: 'Agent', name: agentName })?.spec as AgentSpec | undefined;
  const own = { ...ownSandbox(object, store), wanted: spec.sandbox === undefined && placement === 'Sandbox' };
  return {
    placement,
    agent: agentName,
    command: agent?.command ?? [],
    ...(agent?.install ? { installHint: agent.install.hint } : {}),
    ...sandboxOf(object, placement, store),
    own,
    ...blockedBy({ spec, placement, agentName, agent, store, own: own.wanted ? own.state : undefined }),
  };
}

function sandboxOf(
  object: Resource,
  placement: SessionDesired['placement'],
  store: StoreReader,
): Pick<SessionDesired, 'sandbox' | 'sandboxSays' | 'sandboxRestartedAt' | 'target'> {
  const spec = object.spec as SessionSpec;
  const sandbox = spec.sandbox ?? object.metadata.name;
  const target = placement === 'Sandbox' ? targetOf(sandbox, spec.project, store) : undefined;
  const standing = store.get({ kind: 'Sandbox', name: sandbox });
  const sandboxRestartedAt = Date.parse(standing?.metadata.annotations?.[RESTARTED_AT] ?? '') || 0;
  const says = readyMessage(standing);
  return {
    sandbox,
    sandboxRestartedAt,
    ...(target ? { target } : {}),
    ...(says === undefined ? {} : { sandboxSays: says }),
  };
}

/** What a sandbox that is not ready says of that. */
function readyMessage(sandbox: Resource | undefined): string | undefined {
  const ready = findCondition((sandbox?.status as SandboxStatus | undefined)?.conditions, 'Ready');
  return ready && ready.status !== 'True' ? ready.message : undefined;
}

/** A named sandbox means there; else the session's own word; else the settings'. */
function placementOf(spec: SessionSpec, settings: SettingsSpec): SessionDesired['placement'] {
  if (spec.sandbox !== undefined) return 'Sandbox';
  return spec.placement ?? settings.placement;
}

interface References {
  readonly spec: SessionSpec;
  readonly placement: SessionDesired['placement'];
  readonly agentName: string;
  readonly agent: AgentSpec | undefined;
  readonly store: StoreReader;
  readonly own: OwnState | undefined;
}

function blockedBy({ spec, placement, agentName, agent, store, own }: References): { blocked?: SessionBlocked } {
  const missing = [
    store.get({ kind: 'Project', name: spec.project }) ? [] : [`Project ${spec.project}`],
    agent ? [] : [`Agent ${agentName}`],
    spec.sandbox === undefined || store.get({ kind: 'Sandbox', name: spec.sandbox }) ? [] : [`Sandbox ${spec.sandbox}`],
  ].flat();
  const unsupported = unsupportedYet('Session', spec);
  if (placement === 'Host') unsupported.push('placement Host is not supported yet: the session waits, nothing runs');
  if (missing.length > 0)
    return blocked('ReferenceNotFound', missing.map((name) => `${name} does not exist`).join('; '));
  if (unsupported.length > 0) return blocked('NotSupportedYet', unsupported.join('; '));
  if (own === 'NotOurs') {
    return blocked('NameConflict', 'a Sandbox of this name, which its own would need, is declared by hand');
  }
  return {};
}

function blocked(reason: SessionBlocked['reason'], message: string): { blocked: SessionBlocked } {
  return { blocked: { reason, message } };
}

/** The sandbox that serves this session alone, under its name, whether one is wanted now or not. */
function ownSandbox(object: Resource, store: StoreReader): Omit<SessionDesired['own'], 'wanted'> {
  const { project, template, state } = object.spec as SessionSpec;
  const { name, uid } = object.metadata;
  const owner = { apiVersion: API_VERSION, kind: 'Session', name, uid, controller: true } as const;
  const spec: SandboxSpec = { projects: [project], state, ...(template === undefined ? {} : { template }) };
  const declaration: Declaration = { kind: 'Sandbox', name, labels: {}, annotations: {}, spec };
  const standing = store.get({ kind: 'Sandbox', name });
  const own = ownState(standing, uid, spec);
  const restart = standing && own !== 'NotOurs' ? restartToPass(object, standing) : undefined;
  if (restart === undefined) return { owner, declaration, state: own };
  return { owner, declaration, state: own === 'Applied' ? 'Differs' : own, restart };
}

/** Restarting a session means the sandbox that it has for itself as well: only so do changes of it arrive. */
function restartToPass(session: Resource, sandbox: Resource): string | undefined {
  const wanted = session.metadata.annotations?.[RESTARTED_AT] ?? '';
  const had = sandbox.metadata.annotations?.[RESTARTED_AT] ?? sandbox.metadata.creationTimestamp;
  return Date.parse(wanted) > Date.parse(had) ? wanted : undefined;
}

function ownState(standing: Resource | undefined, ownerUid: string, spec: SandboxSpec): OwnState {
  if (!standing) return 'Absent';
  if (standing.metadata.ownerReferences?.[0]?.uid !== ownerUid) return 'NotOurs';
  if (standing.metadata.deletionTimestamp) return 'Terminating';
  return hashOf(standing.spec) === hashOf(spec) ? 'Applied' : 'Differs';
}

function targetOf(name: string, projectName: string, store: StoreReader): SandboxTarget | undefined {
  const status = store.get({ kind: 'Sandbox', name })?.status as SandboxStatus | undefined;
  if (!status?.containerId || !status.runtime) return undefined;
  const workdir = workdirOf(store.get({ kind: 'Project', name: projectName }), status);
  return {
    containerId: status.containerId,
    ...(status.startedAt === undefined ? {} : { startedAt: status.startedAt }),
    engine: { kind: status.runtime.kind, endpoint: status.runtime.endpoint },
    ...(workdir === undefined ? {} : { workdir }),
    ready: isTrue(status.conditions, 'Ready'),
    outOfDate: findCondition(status.conditions, 'UpToDate')?.status === 'False',
  };
}

/** Where the project is in the running container, by the mounts that were measured. */
function workdirOf(project: Resource | undefined, { mounts = [] }: SandboxStatus): string | undefined {
  const { path } = (project?.status ?? {}) as Partial<ProjectStatus>;
  return path === undefined ? undefined : pathInside(path, mounts);
}
