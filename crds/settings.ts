import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { environmentList } from './environment';
import { FAILURE_CAUSES } from './failures';
import { duration, hostPath, line, objectName } from './fields';
import type { ManifestProblem } from './problems';
import { ACCEPTED_REASONS } from './reasons';
import { PERMISSIONS, PLACEMENTS } from './session';

/** The one Settings object that there is. */
export const SETTINGS_NAME = 'default';

const ENDPOINT = /^(unix|tcp|ssh|npipe):\/\/\S+$/;

const runtimeSpec = z
  .strictObject({
    kind: z
      .enum(['Docker', 'Podman', 'AppleContainer'])
      .default('Docker')
      .describe('Container runtime; no other is ever used in its place.'),
    endpoint: line()
      .regex(ENDPOINT, { error: 'must start with unix://, tcp:// or ssh://' })
      .describe('Where it listens; left out, the places where that runtime usually listens are tried.')
      .exactOptional(),
  })
  .describe('The container runtime that sandboxes run on.');

const environmentInclude = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether the script is read.'),
    script: hostPath().default('~/.bashrc').describe('Shell script whose variables sessions start with.'),
    timeout: duration().default('10s').describe('How long the script may take.'),
  })
  .describe('A startup script whose variables every session gets.');

const hostHooks = z
  .strictObject({
    beforeStart: z
      .array(line())
      .describe('Commands run on this machine before a sandbox starts; lines KEY=VALUE they print become variables.')
      .exactOptional(),
    beforeSession: z
      .array(line())
      .describe('Commands run on this machine before a session on this machine starts.')
      .exactOptional(),
  })
  .describe('Commands run on this machine, with all its rights.');

const toolsSpec = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether agents may ask Berth about sessions and worktrees.'),
    crossSession: z
      .enum(['Allow', 'Confirm', 'Deny'])
      .default('Allow')
      .describe('Whether an agent may write to other sessions: always, when somebody confirms, or never.'),
  })
  .describe('Tools that Berth offers to the agents in its sessions.');

const SCROLLBACK = { least: 100, most: 1_000_000, usual: 10_000 };

export const settingsSchema = z
  .strictObject({
    runtime: runtimeSpec.default({ kind: 'Docker' }),
    placement: z
      .enum(PLACEMENTS)
      .default('Host')
      .describe('Where sessions run that do not say: on this machine, or in a sandbox.'),
    agent: objectName().default('claude').describe('Agent of sessions that name none.'),
    permissions: z
      .enum(PERMISSIONS)
      .default('Default')
      .describe('Whether agents of sessions that do not say ask before they act.'),
    template: objectName().default('default').describe('SandboxTemplate of sandboxes that name none.'),
    prune: z
      .enum(['Hold', 'Delete'])
      .default('Hold')
      .describe('Whether what runs is held or deleted when its manifest is gone.'),
    environmentInclude: environmentInclude.exactOptional(),
    hostEnvironment: environmentList()
      .describe('Variables of sessions on this machine: KEY=VALUE sets one, KEY=$NAME takes another one’s value.')
      .exactOptional(),
    hostHooks: hostHooks.exactOptional(),
    preTrust: z
      .boolean()
      .describe('Whether agents on this machine are told to trust a project before they ask.')
      .exactOptional(),
    pairedTerminal: z
      .enum(PLACEMENTS)
      .describe('Where a shell opened beside a sandboxed session runs.')
      .exactOptional(),
    tools: toolsSpec.exactOptional(),
    scrollbackLines: z
      .int()
      .min(SCROLLBACK.least, { error: `must be at least ${SCROLLBACK.least} lines` })
      .max(SCROLLBACK.most, { error: `must be at most ${SCROLLBACK.most} lines` })
      .describe('Lines of terminal output kept for a new session.')
      .meta({ builtInDefault: SCROLLBACK.usual })
      .exactOptional(),
  })
  .describe('Choices for everything at once. There is one object of this kind, named "default".');

export type SettingsSpec = z.infer<typeof settingsSchema>;

/** The container runtime as it was last found. */
export interface RuntimeStatus {
  readonly kind: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly endpoint: string;
  readonly rootless: boolean;
  readonly cgroupVersion: '1' | '2' | 'Unknown';
  readonly storageDriver: string;
  readonly identity: string;
}

export interface LimitCapability {
  readonly name: 'cpus' | 'memory' | 'processes' | 'storage';
  readonly enforced: boolean;
  /** The engine's own reason, when it cannot enforce it. */
  readonly reason?: string;
}

export interface SettingsStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  readonly runtime?: RuntimeStatus;
  readonly capabilities?: { readonly limits: readonly LimitCapability[] };
  readonly manifests?: {
    readonly directory: string;
    readonly files: number;
    readonly problems: readonly ManifestProblem[];
    /** What is left aside without being a problem, such as objects of another system. */
    readonly warnings: readonly string[];
  };
}

export const SETTINGS_CONDITIONS = {
  /** True when the manifest is valid and everything it names exists. */
  Accepted: ACCEPTED_REASONS,
  /** True when the chosen container runtime answers and is new enough, or none is needed. */
  Ready: [
    /** The container runtime answers and is new enough. */
    'RuntimeReady',
    /** Sandboxes are off: nothing asks for one. */
    'Disabled',
    /** It asks for something that this version does not do. */
    'NotSupportedYet',
    /** It is marked for deletion. */
    'Terminating',
    /** The container runtime has not been asked yet. */
    'NotObserved',
    ...FAILURE_CAUSES,
  ],
  /** True when every manifest file could be read and used. */
  ManifestsValid: [
    /** Every file could be read and used. */
    'Valid',
    /** One or more files have problems; what they last declared stands. */
    'InvalidManifests',
    /** The manifest directory is gone or cannot be read; everything stays as it is. */
    'DirectoryMissing',
    /** The directory has not been read yet. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;

export type SettingsConditionType = keyof typeof SETTINGS_CONDITIONS;
export type SettingsReason<Type extends SettingsConditionType = SettingsConditionType> =
  (typeof SETTINGS_CONDITIONS)[Type][number];
