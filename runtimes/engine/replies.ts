import type { LimitName, LimitSupport } from '../runtime';

/**
 * What the engines send, as far as it is read. Every field may be missing or null: compatible engines leave out what
 * Docker's own API calls required.
 */
export type Maybe<T> = T | null | undefined;

export interface InspectReply {
  readonly Id?: Maybe<string>;
  readonly Name?: Maybe<string>;
  readonly Image?: Maybe<string>;
  readonly State?: Maybe<{
    readonly Status?: Maybe<string>;
    readonly Running?: Maybe<boolean>;
    readonly Paused?: Maybe<boolean>;
    readonly Restarting?: Maybe<boolean>;
    readonly OOMKilled?: Maybe<boolean>;
    readonly ExitCode?: Maybe<number>;
    readonly StartedAt?: Maybe<string>;
    readonly FinishedAt?: Maybe<string>;
  }>;
  readonly Config?: Maybe<{
    readonly User?: Maybe<string>;
    readonly Env?: Maybe<readonly string[]>;
    readonly Cmd?: Maybe<readonly string[]>;
    readonly Labels?: Maybe<Readonly<Record<string, string>>>;
  }>;
  readonly HostConfig?: Maybe<HostConfigReply>;
  readonly Mounts?: Maybe<readonly MountReply[]>;
  readonly NetworkSettings?: Maybe<{ readonly Networks?: Maybe<Readonly<Record<string, unknown>>> }>;
}

export interface HostConfigReply {
  readonly NetworkMode?: Maybe<string>;
  readonly PortBindings?: unknown;
  readonly RestartPolicy?: Maybe<{ readonly Name?: Maybe<string> }>;
  readonly Privileged?: Maybe<boolean>;
  readonly CapAdd?: unknown;
  readonly CapDrop?: unknown;
  readonly SecurityOpt?: unknown;
  readonly Memory?: Maybe<number>;
  readonly NanoCpus?: Maybe<number>;
  readonly PidsLimit?: Maybe<number>;
  readonly StorageOpt?: Maybe<Readonly<Record<string, string>>>;
}

export interface MountReply {
  readonly Type?: Maybe<string>;
  readonly Name?: Maybe<string>;
  readonly Source?: Maybe<string>;
  readonly Destination?: Maybe<string>;
  readonly RW?: Maybe<boolean>;
}

export interface VersionReply {
  readonly Version?: Maybe<string>;
  readonly ApiVersion?: Maybe<string>;
  readonly Components?: Maybe<readonly { readonly Name?: Maybe<string> }[]>;
}

/** `GET /info`, the part that both engines have. */
export interface EngineInfo {
  readonly Driver?: Maybe<string>;
  readonly CgroupVersion?: Maybe<string>;
  readonly MemoryLimit?: Maybe<boolean>;
  readonly SwapLimit?: Maybe<boolean>;
  readonly PidsLimit?: Maybe<boolean>;
  readonly CpuCfsQuota?: Maybe<boolean>;
  readonly SecurityOptions?: Maybe<readonly string[]>;
}

/** `GET /libpod/info`, Podman's own. */
export interface LibpodInfo {
  readonly host?: Maybe<{
    readonly cgroupControllers?: Maybe<readonly string[]>;
    readonly cgroupVersion?: Maybe<string>;
    readonly security?: Maybe<{ readonly rootless?: Maybe<boolean> }>;
  }>;
}

/** What a dialect makes of its engine's info. */
export interface EngineFacts {
  readonly rootless: boolean;
  readonly userNamespaceRemapped: boolean;
  readonly cgroupVersion: '1' | '2' | 'Unknown';
  /** The limits that cgroups enforce; storage is decided by the driver. */
  readonly limits: Readonly<Record<Exclude<LimitName, 'storage'>, LimitSupport>>;
}

/** A list of strings out of a reply that may hold anything. */
export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
