import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { SANDBOX_DEFAULTS } from './defaults';
import type { FailureCause, Stage } from './failures';
import { FAILURE_CAUSES } from './failures';
import { objectName, uniqueList } from './fields';
import { ACCEPTED_REASONS } from './reasons';
import { TEMPLATE_FIELDS } from './sandbox-template';
import { labelSelector } from './selector';

export const sandboxSchema = z
  .strictObject({
    template: objectName()
      .describe('SandboxTemplate that it is made from; Settings name the usual one.')
      .exactOptional(),
    projects: uniqueList(objectName()).describe('Projects that are mounted, by name.').exactOptional(),
    projectSelector: labelSelector('Projects that are mounted, by their labels.').exactOptional(),
    state: z
      .enum(['Running', 'Stopped'])
      .describe('Whether its container is to run.')
      .meta({ builtInDefault: SANDBOX_DEFAULTS.state })
      .exactOptional(),
    ...TEMPLATE_FIELDS,
  })
  .describe('One container that keeps sessions: a template, its overrides, and the projects it may see.');

export type SandboxSpec = z.infer<typeof sandboxSchema>;

/** What was asked for and what the engine has, of one limit. `effective` is absent where the engine decides. */
export interface LimitStatus {
  readonly name: 'cpus' | 'memory' | 'processes' | 'storage';
  readonly requested: string;
  readonly effective?: string;
  readonly enforced: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
}

export interface MountStatus {
  readonly role: string;
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

export interface ShareStatus {
  readonly name: string;
  readonly type: string;
  readonly mounted: boolean;
  readonly reason: string;
}

/** One difference between the running container and what is declared. */
export interface DriftStatus {
  readonly part: string;
  readonly reason: SandboxReason<'UpToDate'>;
  readonly running: string;
  readonly declared: string;
}

export interface FailureStatus {
  readonly stage: Stage;
  readonly cause: FailureCause;
  readonly message: string;
  readonly remedy: string;
  /** The engine's own words, for diagnosis. */
  readonly detail: string;
  /** RFC 3339. */
  readonly since: string;
}

export interface ProgressStatus {
  readonly currentBytes: number;
  readonly totalBytes: number;
}

export interface SandboxStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  /** What it is doing now; absent when it is at rest. */
  readonly stage?: Stage;
  readonly containerId?: string;
  readonly containerName?: string;
  readonly startedAt?: string;
  readonly runtime?: { readonly kind: string; readonly version: string; readonly endpoint: string };
  readonly image?: { readonly reference: string; readonly id: string };
  /** Measured from the container, sorted by target. */
  readonly mounts?: readonly MountStatus[];
  readonly limits?: readonly LimitStatus[];
  readonly network?: { readonly mode: string; readonly implementation: string };
  /** Names of the projects that the container really has, sorted. */
  readonly projects?: readonly string[];
  readonly shares?: readonly ShareStatus[];
  readonly drift?: readonly DriftStatus[];
  /** How many sessions run in it. */
  readonly sessions?: number;
  /** Starts tried since it last answered. */
  readonly attempts?: number;
  readonly failure?: FailureStatus;
  readonly progress?: ProgressStatus;
}

export const SANDBOX_CONDITIONS = {
  /** True when the manifest is valid and everything it names exists. */
  Accepted: ACCEPTED_REASONS,
  /** True when the container runs and sessions can be started in it. */
  Ready: [
    /** The container runs and takes sessions. */
    'Ready',
    /** A step toward a running container is under way. */
    'Progressing',
    /** The container runtime is being asked whether it is there and new enough. */
    'CheckingRuntime',
    /** The image is being pulled, loaded or looked up. */
    'GettingImage',
    /** The container is being created. */
    'Creating',
    /** The container is being started and has not answered yet. */
    'Starting',
    /** It ran, and was ended or removed by somebody else; it is being brought back. */
    'EndedFromOutside',
    /** The container is being stopped. */
    'Stopping',
    /** It is stopped because that was asked for. */
    'Stopped',
    /** It is stopped because nobody used it; it starts when somebody does. */
    'StoppedWhenIdle',
    /** Its container was paused from outside; whoever did that lets it go on. */
    'Paused',
    /** It is marked for deletion. */
    'Terminating',
    /** A container that is not Berth's has its name. */
    'NameConflict',
    /** Its template or one of its projects does not exist. */
    'ReferenceNotFound',
    /** One of its projects may not or cannot be mounted. */
    'ProjectNotUsable',
    /** Sandboxes cannot run on the container runtime as it is set up, such as one on another machine. */
    'RuntimeNotSuitable',
    /** It asks for something that this version does not do. */
    'NotSupportedYet',
    /** No pass over it has ended yet. */
    'NotObserved',
    ...FAILURE_CAUSES,
  ],
  /** True when the container is what the manifest would make today. */
  UpToDate: [
    /** Container and manifest agree. */
    'UpToDate',
    /** Another image, or other content under the same reference. */
    'ImageChanged',
    /** Other projects, shares or volumes, or other places for them. */
    'MountsChanged',
    /** Other limits. */
    'LimitsChanged',
    /** Another network mode. */
    'NetworkChanged',
    /** Other variables. */
    'EnvironmentChanged',
    /** Other published ports. */
    'PortsChanged',
    /** Other capabilities or security options. */
    'SecurityChanged',
    /** Another user. */
    'UserChanged',
    /** The service in it is started in another way. */
    'CommandChanged',
    /** Keep-running was switched. */
    'RestartPolicyChanged',
    /** It was made on another container runtime than the chosen one. */
    'RuntimeChanged',
    /** More than one part differs; the drift in the status names each. */
    'MultipleChanges',
    /** There is no container to compare with. */
    'NoContainer',
    /** The container could not be looked at. */
    'NotObserved',
  ],
  /** True when the engine enforces every limit that is set. */
  LimitsEnforced: [
    /** Every limit that is set is enforced. */
    'Enforced',
    /** No limit is set, so there is nothing to enforce. */
    'Unset',
    /** The engine cannot enforce one or more of them; the message names each with the engine's reason. */
    'NotEnforceable',
    /** The container was made with other limits than are declared now; a restart applies these. */
    'LimitsChanged',
    /** The engine could not be asked, or there is no container. */
    'NotObserved',
  ],
  /** True when the container's network is what was asked for. */
  NetworkEnforced: [
    /** The container has the network that the mode stands for. */
    'Enforced',
    /** The container has another network than the mode stands for. */
    'NotEnforced',
    /** Connections outward are open because the manifest asks for it. */
    'OpenByChoice',
    /** This version cannot have that mode. */
    'NotSupportedYet',
    /** There is no container, or it could not be looked at. */
    'NotObserved',
  ],
  /** True when sessions cannot reach what guards them. */
  Isolated: [
    /** Sessions have no privilege over the container and the control channel is out of their reach. */
    'Isolated',
    /** Sessions are root in the container, so the control channel is not protected from them. */
    'RunsAsRoot',
    /** It has a directory mounted that no sandbox may have, because of what came to lie there since. */
    'ForbiddenMount',
    /** The manifest loosens the container. */
    'LoosenedByChoice',
    /** There is no container, or it could not be looked at. */
    'NotObserved',
  ],
  /** True when every project of the manifest is mounted in the container. */
  WorkspaceReady: [
    /** Every project is mounted. */
    'Mounted',
    /** It has no project, so there is nothing to mount. */
    'NoProjects',
    /** A project of the manifest is not in the running container. */
    'ProjectNotMounted',
    /** A project may not or cannot be mounted. */
    'ProjectNotUsable',
    /** There is no container, or it could not be looked at. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;

export type SandboxConditionType = keyof typeof SANDBOX_CONDITIONS;
export type SandboxReason<Type extends SandboxConditionType = SandboxConditionType> =
  (typeof SANDBOX_CONDITIONS)[Type][number];
