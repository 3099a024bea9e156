/** Which engine a driver speaks to. `Fake` is the one with memory that tests run on. */
export type RuntimeKind = 'Docker' | 'Podman' | 'Fake';

/** The four things a sandbox may be limited in. */
export const LIMITS = ['cpus', 'memory', 'processes', 'storage'] as const;
export type LimitName = (typeof LIMITS)[number];

/** Whether the engine really enforces a limit; the reason is the engine's own, for people. */
export type LimitSupport = { readonly enforced: true } | LimitGap;

export interface LimitGap {
  readonly enforced: false;
  readonly reason: string;
  /** The engine takes it and bounds a part of what was meant: better than leaving it out. */
  readonly partly?: true;
}

/**
 * How the person's own uid is had in a container, so that files made inside belong to them:
 * `UidGid` passes it as the user, `KeepId` maps it (rootless Podman), `ContainerRoot` is rootless Docker's uid 0.
 */
export type IdentityMapping = 'UidGid' | 'KeepId' | 'ContainerRoot';

/** What one probe of a reachable engine found out. */
export interface EngineProbe {
  readonly kind: RuntimeKind;
  /** The server's version, e.g. `20.10.24+dfsg1`. */
  readonly version: string;
  readonly apiVersion: string;
  readonly endpoint: string;
  readonly rootless: boolean;
  readonly cgroupVersion: '1' | '2' | 'Unknown';
  readonly storageDriver: string;
  readonly identity: IdentityMapping;
  readonly limits: Readonly<Record<LimitName, LimitSupport>>;
  /** The parts of a container's spec that this engine's inspect does not echo as they were asked for. */
  readonly notEchoed: readonly SpecPart[];
}

/** The parts of a container that are fixed when it is created, each compared and named on its own. */
export const SPEC_PARTS = [
  'image',
  'command',
  'user',
  'mounts',
  'limits',
  'network',
  'environment',
  'ports',
  'security',
  'restart',
] as const;
export type SpecPart = (typeof SPEC_PARTS)[number];

/** What a mount is for; never a bare path. */
export type MountRole = 'workspace' | 'home' | 'state' | 'store' | 'share' | 'volume';

export interface Mount {
  readonly role: MountRole;
  /** `bind`: source is an absolute, link-free host path; `volume`: source is a volume's name. */
  readonly type: 'bind' | 'volume';
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** Absent = the engine's own default. Swap always equals memory, or the cap would be soft. */
export interface ContainerLimits {
  /** Cores in thousandths: 2500 is two and a half cores. */
  readonly milliCpus?: number;
  readonly memoryBytes?: number;
  readonly processes?: number;
  readonly storageBytes?: number;
}

export interface PortBinding {
  readonly hostAddress: string;
  readonly hostPort: number;
  readonly containerPort: number;
}

/** Everything that decides how a container is made. Canonical: equal specs give equal bytes (lists sorted, no clock). */
export interface ContainerSpec {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The resolved image id (`sha256:…`), never a tag that can move. */
  readonly imageId: string;
  readonly command: readonly string[];
  readonly workdir: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly identity: IdentityMapping;
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly limits: ContainerLimits;
  /** `none`: no interface but loopback. */
  readonly network: 'none';
  readonly ports: readonly PortBinding[];
  readonly security: ContainerSecurity;
  readonly restart: RestartPolicy;
}

export type RestartPolicy = 'no' | 'unless-stopped';

export interface ContainerSecurity {
  readonly noNewPrivileges: boolean;
  readonly privileged: boolean;
  /** Dropped before the added ones are added; `ALL` drops every one. Sorted. */
  readonly capDrop: readonly string[];
  readonly capAdd: readonly string[];
}

/** A container as the engine reports it, in the words of the spec. A part is absent where the engine doesn't say. */
export interface ContainerFacts {
  readonly imageId: string;
  readonly command?: readonly string[];
  /** As the engine prints it, e.g. `1234:1234`. */
  readonly user?: string;
  readonly mounts?: readonly Omit<Mount, 'role'>[];
  readonly limits?: ContainerLimits;
  readonly network?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly PortBinding[];
  readonly security?: ContainerSecurity;
  readonly restart?: string;
}

/** Absence is a value; an engine that can't be asked is an error, never absence. */
export type ContainerState = { readonly present: false } | PresentContainer;

export interface PresentContainer {
  readonly present: true;
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Paused and restarting count as running: a process may be alive. */
  readonly running: boolean;
  /** It stands still until it is unpaused, and nothing can be run in it. */
  readonly paused: boolean;
  /** RFC 3339; absent when it never started. */
  readonly startedAt?: string;
  /** Of the last run, when it has ended. */
  readonly exitCode?: number;
  readonly oomKilled: boolean;
  readonly facts: ContainerFacts;
}

export interface ImageState {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Environment the image itself sets: it is in every container's and no difference. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Bytes done of those known so far; `total` may grow while layers are discovered. */
export interface PullProgress {
  readonly currentBytes: number;
  readonly totalBytes: number;
}

export interface ExecRequest {
  readonly command: readonly string[];
  readonly user?: string;
  readonly workdir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly tty?: boolean;
  /** Of both outputs together, for a run; 16 MiB when left out. */
  readonly maxOutputBytes?: number;
}

/** What a caller that names no bound lets a program write. */
export const MAX_OUTPUT_BYTES = 16 * 1024 ** 2;

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * All idempotent, none waits for anything but the engine's own answer; errors are `RuntimeError`s only. What needs a
 * container that is absent is `NotFound`, what needs it running and finds it stopped is `Conflict` (SandboxStopped), and
 * what finds it paused is `Paused`.
 */
export interface ContainerApi {
  /** By name or id. */
  observe(ref: string, options?: CallOptions): Promise<ContainerState>;
  /** Running or not, those that carry all these labels. */
  list(labels: Readonly<Record<string, string>>, options?: CallOptions): Promise<readonly PresentContainer[]>;
  /**
   * Returns the id. A container of that name already there is `Conflict`, whoever made it; an image that is not in the
   * store is `NotFound` (ImageNotFound); a bind source that does not exist is `InvalidSpec` (MountRejected).
   */
  create(spec: ContainerSpec, options?: CallOptions): Promise<string>;
  /** Running already = success. */
  start(id: string, options?: CallOptions): Promise<void>;
  /** Stopped already or gone = success, paused or not. SIGTERM, then SIGKILL after `graceMs`. */
  stop(id: string, options: CallOptions & { readonly graceMs: number }): Promise<void>;
  /** With its anonymous volumes; gone already = success; resolves when the name is free. A running one is killed. */
  remove(id: string, options?: CallOptions): Promise<void>;
}

export interface ImageApi {
  /** Undefined when it is not in the engine's own store; never asks a registry. */
  find(reference: string, options?: CallOptions): Promise<ImageState | undefined>;
  /** Resolves when the image is in the store. */
  pull(reference: string, options?: CallOptions & { onProgress?: (progress: PullProgress) => void }): Promise<void>;
  /** Loads an archive made by `docker save`; resolves to the references it brought. */
  load(archivePath: string, options?: CallOptions): Promise<readonly string[]>;
}

export interface ExecApi {
  /**
   * Runs to the end; output is byte-exact, a non-zero exit is an answer and not an error, 127 with words on the error
   * output a program that is not there. When the signal aborts, or the program writes more than it may (`Internal`),
   * the caller leaves and the program goes on.
   */
  run(id: string, request: ExecRequest, options?: CallOptions): Promise<ExecResult>;
  /** Starts and does not wait; the process lives on without the caller. No such program is `InvalidSpec`. */
  start(id: string, request: ExecRequest, options?: CallOptions): Promise<void>;
}

export interface VolumeApi {
  /** Names of those that carry all these labels. */
  list(labels: Readonly<Record<string, string>>, options?: CallOptions): Promise<readonly string[]>;
  /** Exists already = success. */
  create(name: string, labels: Readonly<Record<string, string>>, options?: CallOptions): Promise<void>;
  /** Gone already = success; one that a container still mounts is `Conflict`. */
  remove(name: string, options?: CallOptions): Promise<void>;
}

/** Something happened to this container: look again. Never says what. */
export interface ContainerHint {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** One engine, split by noun. A driver holds no state that a new one would not find again. */
export interface Runtime {
  readonly kind: RuntimeKind;
  readonly endpoint: string;
  readonly containers: ContainerApi;
  readonly images: ImageApi;
  readonly execs: ExecApi;
  readonly volumes: VolumeApi;
  /** Asks the engine afresh each time. Unreachable, not permitted and too old are `RuntimeError`s. */
  probe(options?: CallOptions): Promise<EngineProbe>;
  /**
   * Lifecycle events of containers that carry these labels (create, start, die, remove …; never exec), until the signal
   * aborts or the engine goes: then it ends or throws, and the caller lists again. Lossy by contract. Resolves once it is
   * subscribed: a list made after that misses nothing.
   */
  changes(labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<AsyncIterable<ContainerHint>>;
}
