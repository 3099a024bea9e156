import type { ManifestState } from '../../controller/store';
import type { Declaration, Key, OwnerReference } from '../../crds/meta';
import type { SessionReason } from '../../crds/session';

/** Why the session can't be started as declared. */
export interface SessionBlocked {
  readonly reason: SessionReason<'Ready'>;
  readonly message: string;
}

/** The sandbox's container as its own status last measured it. */
export interface SandboxTarget {
  readonly containerId: string;
  /** When the container was started (RFC 3339, by the engine's clock): with its id, names one run of it. */
  readonly startedAt?: string;
  readonly engine: { readonly kind: string; readonly endpoint: string };
  /** Where the project is inside; undefined when it isn't mounted. */
  readonly workdir?: string;
  readonly outOfDate: boolean;
  /** Whether sessions may be started in it. */
  readonly ready: boolean;
}

export interface SessionDesired {
  readonly key: Key;
  readonly uid: string;
  readonly deleting: boolean;
  readonly manifest: ManifestState | undefined;
  readonly prune: boolean;
  readonly state: 'Running' | 'Stopped';
  readonly placement: 'Host' | 'Sandbox';
  readonly project: string;
  readonly agent: string;
  readonly command: readonly string[];
  /** How the agent's program is had, as the Agent says. */
  readonly installHint?: string;
  /** Name of the sandbox it runs in. */
  readonly sandbox: string;
  /** The last request to restart that sandbox, in milliseconds since the epoch; 0 when there was none. */
  readonly sandboxRestartedAt: number;
  /** Why that sandbox is not ready, in its own words. */
  readonly sandboxSays?: string;
  /** The sandbox that is made for it alone, and whether it is in the store as it should be. */
  readonly own: {
    readonly owner: OwnerReference;
    readonly declaration: Declaration;
    readonly state: OwnState;
    /** The session's own request to restart (RFC 3339), when its sandbox does not have it yet. */
    readonly restart?: string;
    /** Whether it runs in one of its own as it is declared now; one that stands otherwise is left over. */
    readonly wanted: boolean;
  };
  /** Undefined while the sandbox has no container that is known. */
  readonly target?: SandboxTarget;
  /** The last request to restart, in milliseconds since the epoch; 0 when there was none. */
  readonly restartedAt: number;
  /** Names this run: a process of another one is out of date, or was to be restarted. */
  readonly run: string;
  readonly blocked?: SessionBlocked;
}

export type OwnState = 'Absent' | 'Differs' | 'Applied' | 'Terminating' | 'NotOurs';

/** Where the session's program was last started. Recorded before it is: nothing else tells where to look for it. */
export interface SessionPlace extends Pick<SandboxTarget, 'containerId' | 'engine'> {
  readonly sandbox: string;
  readonly workdir: string;
  /** The run that was begun there, and in which of the container's runs: a record that is gone later was taken away. */
  readonly begun?: {
    readonly run: string;
    readonly in: string;
    /** By the controller's clock, in milliseconds since the epoch. */
    readonly at: number;
  };
}

/** The session's program as it was found in the container. */
export type SeenProcess =
  | { readonly state: 'None' }
  | { readonly state: 'Running'; readonly run: string; readonly pid: number }
  | { readonly state: 'Exited'; readonly run: string; readonly exitCode?: number };

/** What is known of the session's program. */
export type ProcessState =
  | SeenProcess
  /** The container is paused: nobody could look, and it may be there. */
  | { readonly state: 'Paused' }
  /** The container gave no answer that can be used: it may run. */
  | { readonly state: 'Silent'; readonly error: Error };

export interface SessionObserved {
  readonly process: ProcessState;
  /** Undefined when nobody could look. */
  readonly agentFound?: boolean;
  /** Its sandbox was asked to restart since the program was started: whatever ends it is no trouble of its own. */
  readonly interrupted?: true;
  /** Set while the program runs, or may run, elsewhere than it would be started now. */
  readonly elsewhere?: SessionPlace;
}
