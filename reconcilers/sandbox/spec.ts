import { hashLabel, LABELS, OWNER } from '../../runtimes/labels';
import {
  SPEC_PARTS,
  type ContainerSpec,
  type EngineProbe,
  type LimitName,
  type LimitSupport,
  type Mount,
  type SpecPart,
} from '../../runtimes/runtime';
import { hashOf } from '../shared/hash';
import type { SandboxDesired } from './desired';
import { HOME_TARGET } from './mounts';

/** Bump when the way parts are hashed changes: hashes of another version are not compared. */
export const HASH_VERSION = '1';

/** Stopping gets no signal from tini's child that it would wait for; the service of a session needs a moment. */
const COMMAND = ['sleep', 'infinity'] as const;

export interface SpecInput {
  readonly desired: SandboxDesired;
  readonly probe: EngineProbe;
  readonly imageId: string;
  /** Who the controller runs as. */
  readonly user: { readonly uid: number; readonly gid: number };
  /** Host directory of the sandbox's own home. */
  readonly home: string;
  readonly nonce: string;
}

/** The container that a sandbox should have on this engine: pure, so the same input gives the same bytes. */
export function containerSpec(input: SpecInput): ContainerSpec {
  const { desired, probe, imageId, nonce } = input;
  const { effective } = desired;
  return {
    name: desired.containerName,
    labels: ownLabels(desired, nonce),
    imageId,
    command: COMMAND,
    workdir: HOME_TARGET,
    user: probe.identity === 'ContainerRoot' ? { uid: 0, gid: 0 } : { uid: input.user.uid, gid: input.user.gid },
    identity: probe.identity,
    environment: environmentOf(desired),
    mounts: mountsOf(desired, input.home),
    limits: limitsOf(desired, probe),
    network: 'none',
    ports: [],
    security: {
      noNewPrivileges: true,
      privileged: false,
      capDrop: ['ALL'],
      capAdd: [],
    },
    restart: effective.keepRunning ? 'unless-stopped' : 'no',
  };
}

/** The spec as it is sent: each part's hash goes with it, for parts that the engine will not echo. */
export function withHashes(spec: ContainerSpec): ContainerSpec {
  return { ...spec, labels: { ...spec.labels, ...hashLabels(spec) } };
}

/** One part of a spec in the form that is hashed and compared. */
export function partOf(spec: ContainerSpec, part: SpecPart): unknown {
  const parts: Readonly<Record<SpecPart, unknown>> = {
    image: spec.imageId,
    command: [spec.command, spec.workdir],
    user: [spec.user, spec.identity],
    mounts: spec.mounts,
    limits: spec.limits,
    network: spec.network,
    environment: spec.environment,
    ports: spec.ports,
    security: spec.security,
    restart: spec.restart,
  };
  return parts[part];
}

function hashLabels(spec: ContainerSpec): Record<string, string> {
  const hashes = SPEC_PARTS.map((part) => [hashLabel(part), hashOf(partOf(spec, part))] as const);
  return { [LABELS.hashVersion]: HASH_VERSION, ...Object.fromEntries(hashes) };
}

function ownLabels({ key, uid, instance }: SandboxDesired, nonce: string): Record<string, string> {
  return {
    [LABELS.owner]: OWNER,
    [LABELS.kind]: key.kind,
    [LABELS.name]: key.name,
    [LABELS.uid]: uid,
    [LABELS.instance]: instance,
    [LABELS.nonce]: nonce,
  };
}

/** Git refuses repositories of another owner, and ids may be mapped: what is mounted was declared to be trusted. */
const GIT_SAFE = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

function environmentOf({ effective }: SandboxDesired): Record<string, string> {
  const literal = effective.environment.flatMap((entry) =>
    entry.from === 'Literal' ? [[entry.name, entry.value]] : [],
  );
  return { ...(Object.fromEntries(literal) as Record<string, string>), HOME: HOME_TARGET, ...GIT_SAFE };
}

function mountsOf(desired: SandboxDesired, home: string): readonly Mount[] {
  const own: Mount = { role: 'home', type: 'bind', source: home, target: HOME_TARGET, readOnly: false };
  return [...desired.mounts, own].sort((a, b) => (a.target < b.target ? -1 : 1));
}

const LIMIT_FIELDS = {
  cpus: 'milliCpus',
  memory: 'memoryBytes',
  processes: 'processes',
  storage: 'storageBytes',
} as const satisfies Record<LimitName, keyof ContainerSpec['limits']>;

/** Limits that this engine enforces, if only in part; one that it can't is left out and said in the status. */
function limitsOf({ effective }: SandboxDesired, probe: EngineProbe): ContainerSpec['limits'] {
  const entries = Object.entries(LIMIT_FIELDS).flatMap(([name, field]) => {
    const value = effective.limits[field];
    return value !== undefined && isTaken(probe.limits[name as LimitName]) ? [[field, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Whether asking the engine for a limit bounds anything. */
export function isTaken(support: LimitSupport): boolean {
  return support.enforced || support.partly === true;
}
