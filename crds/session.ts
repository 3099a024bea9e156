import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { environmentList } from './environment';
import { line, objectName, prose } from './fields';
import { imageSpec } from './image';
import { ACCEPTED_REASONS } from './reasons';

export const PLACEMENTS = ['Host', 'Sandbox'] as const;
export const PERMISSIONS = ['Default', 'Yolo'] as const;

const worktreeSpec = z
  .strictObject({
    branch: line().describe('Branch that the worktree has checked out.'),
    create: z.boolean().default(false).describe('Whether a branch that does not exist is made.'),
    base: line().describe('Where a new branch starts.').exactOptional(),
  })
  .describe('A git worktree of the project, made for this session.');

const resumeSpec = z
  .strictObject({ conversation: line().describe('Conversation to go on with, as its agent names it.') })
  .describe('Goes on with an earlier conversation instead of starting one.');

export const sessionSchema = z
  .strictObject({
    project: objectName().describe('Project that it works in.'),
    agent: objectName().describe('Agent that is started; Settings name the usual one.').exactOptional(),
    placement: z
      .enum(PLACEMENTS)
      .describe('Where it runs: in a sandbox or on this machine; Settings name the usual one.')
      .exactOptional(),
    sandbox: objectName().describe('Sandbox it runs in; without one, a sandbox of its own is made.').exactOptional(),
    template: objectName().describe('SandboxTemplate of a sandbox made for it.').exactOptional(),
    image: imageSpec().describe('Image of a sandbox made for it.').exactOptional(),
    worktree: worktreeSpec.exactOptional(),
    state: z.enum(['Running', 'Stopped']).default('Running').describe('Whether it is to run.'),
    prompt: prose().describe('What the agent is first told.').exactOptional(),
    permissions: z
      .enum(PERMISSIONS)
      .describe('Whether the agent asks before it acts; Settings name the usual choice.')
      .exactOptional(),
    environment: environmentList()
      .describe('Variables of this session: KEY and KEY=$NAME pass one of this machine, KEY=VALUE sets one.')
      .exactOptional(),
    resume: resumeSpec.exactOptional(),
  })
  .superRefine((spec, context) => {
    if (spec.sandbox === undefined) return;
    if (spec.placement === 'Host') refuse(context, 'placement', 'is Host, but a sandbox is named');
    if (spec.template !== undefined) refuse(context, 'template', 'is for a sandbox of its own, but one is named');
    if (spec.image !== undefined) refuse(context, 'image', 'is for a sandbox of its own, but one is named');
  })
  .describe('An agent, or a shell, at work in a project.');

export type SessionSpec = z.infer<typeof sessionSchema>;

export interface ExitStatus {
  /** Absent when it was ended by a signal or nobody saw it end. */
  readonly code?: number;
  /** Why, in words, where more is known than the code. */
  readonly cause?: string;
  /** RFC 3339. */
  readonly at: string;
}

export interface SessionStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  readonly placement?: (typeof PLACEMENTS)[number];
  readonly sandbox?: string;
  readonly project?: string;
  readonly agent?: string;
  /** As the session sees it. */
  readonly workdir?: string;
  readonly command?: readonly string[];
  readonly pid?: number;
  readonly startedAt?: string;
  readonly exit?: ExitStatus;
  readonly activity?: 'Working' | 'Waiting' | 'Unknown';
  /** As its agent names it. */
  readonly conversation?: string;
  /** How many terminals are attached. */
  readonly attached?: number;
}

export const SESSION_CONDITIONS = {
  /** True when the manifest is valid and everything it names exists. */
  Accepted: ACCEPTED_REASONS,
  /** True when its program runs. */
  Ready: [
    /** Its program runs. */
    'Running',
    /** Its program is being started. */
    'Starting',
    /** Its program is being stopped. */
    'Stopping',
    /** Its sandbox is not ready; it starts when the sandbox is. */
    'SandboxNotReady',
    /** Its sandbox's container was paused from outside, and its program with it. */
    'SandboxPaused',
    /** It is stopped because that was asked for. */
    'Stopped',
    /** Its program ended by itself and without an error. */
    'Exited',
    /** Its program ended with an error or by a signal. */
    'Crashed',
    /** Its program could not be started. */
    'StartFailed',
    /** It ran when its sandbox stopped; it can go on. */
    'Interrupted',
    /** It is marked for deletion. */
    'Terminating',
    /** It asks for something that this version does not do. */
    'NotSupportedYet',
    /** Its project, sandbox, template or agent does not exist. */
    'ReferenceNotFound',
    /** Its agent's program is not where the session runs. */
    'AgentNotAvailable',
    /** Its project is not in its sandbox. */
    'WorkspaceNotReady',
    /** The name that a sandbox of its own would have is taken. */
    'NameConflict',
    /** No pass over it has ended yet, or its sandbox could not be asked. */
    'NotObserved',
  ],
  /** True when its agent's program is found where the session runs. */
  AgentAvailable: [
    /** The program is there. */
    'Available',
    /** The image, or this machine, does not have the program. */
    'NotInstalled',
    /** There is no Agent of that name. */
    'ReferenceNotFound',
    /** Nobody could look yet. */
    'NotObserved',
  ],
  /** True when its project can be worked in. */
  WorkspaceReady: [
    /** Its project is mounted in its sandbox. */
    'Mounted',
    /** Its project is not in the running sandbox, which must be restarted to have it. */
    'ProjectNotMounted',
    /** Its project may not or cannot be mounted. */
    'ProjectNotUsable',
    /** Its sandbox has no container, or it could not be looked at. */
    'NotObserved',
  ],
  /** True when it runs as the manifest says today. */
  UpToDate: [
    /** It runs as declared. */
    'UpToDate',
    /** Another agent, or the agent is started in another way. */
    'AgentChanged',
    /** Another placement. */
    'PlacementChanged',
    /** Another sandbox. */
    'SandboxChanged',
    /** Another project. */
    'ProjectChanged',
    /** Its sandbox is out of date. */
    'SandboxOutOfDate',
    /** More than one part differs; the message names each. */
    'MultipleChanges',
    /** It does not run, so there is nothing to compare. */
    'NotRunning',
    /** It could not be looked at. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;

export type SessionConditionType = keyof typeof SESSION_CONDITIONS;
export type SessionReason<Type extends SessionConditionType = SessionConditionType> =
  (typeof SESSION_CONDITIONS)[Type][number];

function refuse(context: z.RefinementCtx, field: string, message: string): void {
  context.addIssue({ code: 'custom', path: [field], message });
}
