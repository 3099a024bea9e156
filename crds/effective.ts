import { SANDBOX_DEFAULTS } from './defaults';
import type { EnvironmentEntry } from './environment';
import { readEnvironment } from './environment';
import type { IMAGE_SOURCES, PULL_POLICIES } from './image';
import { ENGINE_DEFAULT } from './limits';
import type { NetworkMode } from './network';
import type { PortMapping } from './ports';
import { parsePort } from './ports';
import type { SandboxSpec } from './sandbox';
import type { SandboxTemplateSpec } from './sandbox-template';
import type { LabelSelector } from './selector';
import { parseDuration, parseMemory } from './units';
import type { VolumeSpec } from './volume';

/** A limit that is absent is left to the engine. */
export interface EffectiveLimits {
  /** Cores in thousandths. */
  readonly milliCpus?: number;
  readonly memoryBytes?: number;
  readonly processes?: number;
  readonly storageBytes?: number;
}

export interface EffectiveImage {
  readonly reference: string;
  readonly source: (typeof IMAGE_SOURCES)[number];
  readonly archive?: string;
  readonly pullPolicy: (typeof PULL_POLICIES)[number];
}

export interface EffectiveSecurity {
  readonly privileged: boolean;
  readonly capAdd: readonly string[];
  readonly capDrop: readonly string[];
  readonly securityOptions: readonly string[];
  readonly selinuxRelabel: boolean;
  readonly extraRunArgs: readonly string[];
}

/** A sandbox with its template and the defaults filled in: nothing left to look up, units read. */
export interface EffectiveSandboxSpec {
  readonly image: EffectiveImage;
  readonly projects: readonly string[];
  readonly projectSelector?: LabelSelector;
  /** `SamePath`, or an absolute path. */
  readonly mountPath: string;
  readonly limits: EffectiveLimits;
  readonly network: { readonly mode: NetworkMode; readonly ports: readonly PortMapping[] };
  readonly environment: readonly EnvironmentEntry[];
  readonly volumes: readonly VolumeSpec[];
  readonly volumeIgnores: readonly string[];
  readonly volumeIgnoresStrategy: 'Anonymous' | 'Named';
  readonly security: EffectiveSecurity;
  readonly keepRunning: boolean;
  readonly idle: { readonly timeoutMs: number; readonly whileWorking: 'Stop' | 'Wait' };
  readonly user: 'Host' | 'Root';
  readonly reclaimPolicy: 'Delete' | 'Retain';
  readonly state: 'Running' | 'Stopped';
}

/**
 * Merges a sandbox's overrides over its template over the built-in defaults. Scalars, lists and the image replace;
 * limits, network, idle and security merge key by key. A sandbox made for one session mounts at `/workspace` unless
 * something says otherwise: pass that as `mountPath`.
 */
export function resolveSandbox(
  sandbox: SandboxSpec,
  template: SandboxTemplateSpec = {},
  defaults: { readonly mountPath: string } = SANDBOX_DEFAULTS,
): EffectiveSandboxSpec {
  const merged = mergeSandbox(sandbox, template);
  return {
    ...choices({ ...SANDBOX_DEFAULTS, mountPath: defaults.mountPath, ...merged }),
    image: image(merged.image),
    projects: merged.projects ?? [],
    ...(merged.projectSelector === undefined ? {} : { projectSelector: merged.projectSelector }),
    limits: limits(merged.limits),
    network: network(merged.network),
    environment: readEnvironment(merged.environment ?? []),
    volumes: merged.volumes ?? [],
    volumeIgnores: merged.volumeIgnores ?? [],
    security: { ...NO_SECURITY, ...merged.security },
    idle: idle(merged.idle),
  };
}

/** A sandbox's overrides over its template, as written: no defaults, no units read. */
export function mergeSandbox(sandbox: SandboxSpec, template: SandboxTemplateSpec): SandboxSpec {
  const merged: SandboxSpec = { ...template, ...sandbox };
  if (template.limits && sandbox.limits) merged.limits = { ...template.limits, ...sandbox.limits };
  if (template.network && sandbox.network) merged.network = { ...template.network, ...sandbox.network };
  if (template.idle && sandbox.idle) merged.idle = { ...template.idle, ...sandbox.idle };
  if (template.security && sandbox.security) merged.security = { ...template.security, ...sandbox.security };
  return merged;
}

const NO_SECURITY: EffectiveSecurity = {
  privileged: false,
  capAdd: [],
  capDrop: [],
  securityOptions: [],
  selinuxRelabel: false,
  extraRunArgs: [],
};

type Choices = Pick<
  EffectiveSandboxSpec,
  'mountPath' | 'volumeIgnoresStrategy' | 'keepRunning' | 'user' | 'reclaimPolicy' | 'state'
>;

function choices(from: Choices): Choices {
  const { mountPath, volumeIgnoresStrategy, keepRunning, user, reclaimPolicy, state } = from;
  return { mountPath, volumeIgnoresStrategy, keepRunning, user, reclaimPolicy, state };
}

function image(spec: SandboxSpec['image']): EffectiveImage {
  if (spec === undefined) return SANDBOX_DEFAULTS.image;
  return { source: SANDBOX_DEFAULTS.imageSource, pullPolicy: SANDBOX_DEFAULTS.image.pullPolicy, ...spec };
}

function limits(spec: SandboxSpec['limits']): EffectiveLimits {
  const { cpus, memory, processes, storage } = { ...SANDBOX_DEFAULTS.limits, ...spec };
  return {
    ...(typeof cpus === 'number' ? { milliCpus: Math.round(cpus * 1000) } : {}),
    ...(isUnset(memory) ? {} : { memoryBytes: read(parseMemory, memory) }),
    ...(typeof processes === 'number' ? { processes } : {}),
    ...(isUnset(storage) ? {} : { storageBytes: read(parseMemory, storage) }),
  };
}

function network(spec: SandboxSpec['network']): EffectiveSandboxSpec['network'] {
  const mode = spec?.mode ?? SANDBOX_DEFAULTS.network.mode;
  return { mode, ports: (spec?.ports ?? []).map((text) => read(parsePort, text)) };
}

function idle(spec: SandboxSpec['idle']): EffectiveSandboxSpec['idle'] {
  const { timeout, whileWorking } = { ...SANDBOX_DEFAULTS.idle, ...spec };
  return { timeoutMs: read(parseDuration, timeout), whileWorking };
}

function isUnset(text: string): boolean {
  return text === '' || text === ENGINE_DEFAULT;
}

/** A stored spec has been validated; one that has not must not turn into "no limit". */
function read<Value>(parse: (text: string) => Value | undefined, text: string): Value {
  const value = parse(text);
  if (value === undefined) throw new Error(`"${text}" is not what the schema lets through`);
  return value;
}
