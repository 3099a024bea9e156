import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { objectName, uniqueList } from './fields';
import { ACCEPTED_REASONS } from './reasons';
import { labelSelector } from './selector';

export const SHARE_TYPES = ['GitIdentity', 'SSHAgent', 'GitCredentials', 'AgentSignIn', 'SSHDirectory'] as const;

export const credentialShareSchema = z
  .strictObject({
    type: z
      .enum(SHARE_TYPES)
      .describe(
        'What is shared: name and address for commits, the SSH agent, the git credential store, an agent’s sign-in, or the SSH directory.',
      ),
    sandboxes: uniqueList(objectName()).describe('Sandboxes that get it, by name.').exactOptional(),
    sandboxSelector: labelSelector('Sandboxes that get it, by their labels.').exactOptional(),
    agent: objectName().describe('Agent whose sign-in is shared; for type AgentSignIn.').exactOptional(),
  })
  .superRefine((spec, context) => {
    if (spec.sandboxes === undefined && spec.sandboxSelector === undefined) {
      context.addIssue({ code: 'custom', path: [], message: 'must say to whom: give sandboxes or sandboxSelector' });
    }
    if (spec.agent !== undefined && spec.type !== 'AgentSignIn') {
      context.addIssue({ code: 'custom', path: ['agent'], message: 'may be given only for type AgentSignIn' });
    }
  })
  .describe('One credential of yours that some sandboxes may use. Nothing is shared without one.');

export type CredentialShareSpec = z.infer<typeof credentialShareSchema>;

export interface ShareEffect {
  readonly sandbox: string;
  readonly mounted: boolean;
  /** Why it is not there, or not as asked for. */
  readonly reason: string;
}

export interface CredentialShareStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  /** What a session that has it may do, in one sentence. */
  readonly grants?: string;
  /** Each sandbox that it is meant for, sorted by name. */
  readonly sandboxes: readonly ShareEffect[];
}

export const CREDENTIAL_SHARE_CONDITIONS = {
  /** True when the manifest is valid and everything it names exists. */
  Accepted: ACCEPTED_REASONS,
  /** True when every sandbox that it is meant for has it. */
  Ready: [
    /** Every sandbox that it is meant for has it. */
    'Mounted',
    /** What it would share is not on this machine. */
    'SourceMissing',
    /** A running sandbox does not have it and must be restarted. */
    'NotMounted',
    /** It asks for something that this version does not do, so nothing is shared. */
    'NotSupportedYet',
    /** It is marked for deletion. */
    'Terminating',
    /** No pass over it has ended yet. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;
