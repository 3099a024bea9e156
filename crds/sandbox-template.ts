import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { SANDBOX_DEFAULTS } from './defaults';
import { environmentList } from './environment';
import { duration, isContainerPath, line } from './fields';
import { imageSpec } from './image';
import { limitsSpec } from './limits';
import { networkSpec } from './network';
import { ACCEPTED_REASONS } from './reasons';
import { securitySpec } from './security';
import { volumeSpec } from './volume';

const idleSpec = z
  .strictObject({
    timeout: duration()
      .describe('How long nobody may be attached before the sandbox stops.')
      .meta({ builtInDefault: SANDBOX_DEFAULTS.idle.timeout })
      .exactOptional(),
    whileWorking: z
      .enum(['Stop', 'Wait'])
      .describe('Whether a working agent is stopped as well, or waited for.')
      .meta({ builtInDefault: SANDBOX_DEFAULTS.idle.whileWorking })
      .exactOptional(),
  })
  .describe('When a sandbox that nobody uses stops.');

/** What a template and a sandbox have in common: in a template a choice, in a sandbox an override of it. */
export const TEMPLATE_FIELDS = {
  image: imageSpec().exactOptional(),
  mountPath: line()
    .refine((path) => path === SANDBOX_DEFAULTS.mountPath || isContainerPath(path), {
      error: 'must be SamePath or an absolute path without a colon and without "." or ".." parts',
    })
    .describe('Where projects are seen: at the same path as on this machine, or at this path.')
    .meta({ builtInDefault: SANDBOX_DEFAULTS.mountPath })
    .exactOptional(),
  limits: limitsSpec().exactOptional(),
  network: networkSpec().exactOptional(),
  environment: environmentList()
    .describe('Variables: KEY and KEY=$NAME pass one of this machine, KEY=VALUE sets one, $$ starts with a dollar.')
    .exactOptional(),
  volumes: z.array(volumeSpec()).describe('More of this machine to mount.').exactOptional(),
  volumeIgnores: z
    .array(line())
    .describe('Paths and patterns in the projects that get a volume of their own in place of the host directory.')
    .exactOptional(),
  volumeIgnoresStrategy: z
    .enum(['Anonymous', 'Named'])
    .describe('What those volumes are: gone with the container, or kept with the sandbox.')
    .meta({ builtInDefault: SANDBOX_DEFAULTS.volumeIgnoresStrategy })
    .exactOptional(),
  security: securitySpec().exactOptional(),
  keepRunning: z
    .boolean()
    .describe('Whether it comes back after a reboot and never stops for being idle.')
    .meta({ builtInDefault: SANDBOX_DEFAULTS.keepRunning })
    .exactOptional(),
  idle: idleSpec.exactOptional(),
  user: z
    .enum(['Host', 'Root'])
    .describe('Who sessions run as: the user of this machine, or root in the container.')
    .meta({ builtInDefault: SANDBOX_DEFAULTS.user })
    .exactOptional(),
  reclaimPolicy: z
    .enum(['Delete', 'Retain'])
    .describe('Whether the container goes with its sandbox or is left behind.')
    .meta({ builtInDefault: SANDBOX_DEFAULTS.reclaimPolicy })
    .exactOptional(),
} as const;

export const sandboxTemplateSchema = z
  .strictObject(TEMPLATE_FIELDS)
  .describe('Choices that several sandboxes share; each of them may override any.');

export type SandboxTemplateSpec = z.infer<typeof sandboxTemplateSchema>;

export interface SandboxTemplateStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  /** Names of the sandboxes made from it, sorted. */
  readonly usedBy: readonly string[];
}

export const SANDBOX_TEMPLATE_CONDITIONS = {
  /** True when the manifest is valid and everything it asks for exists in this version. */
  Accepted: ACCEPTED_REASONS,
  /** True when sandboxes can be made from it. */
  Ready: [
    /** Sandboxes can be made from it. */
    'Usable',
    /** It asks for something that this version does not do. */
    'NotSupportedYet',
    /** It is marked for deletion. */
    'Terminating',
    /** No pass over it has ended yet. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;
