import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { duration, hostPath, line } from './fields';
import { ACCEPTED_REASONS } from './reasons';

const URL = /^(https:\/\/|ssh:\/\/|file:\/\/|[\w.-]+@[\w.-]+:)\S+$/;
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

const refSpec = z
  .strictObject({
    branch: line().describe('Branch to follow.').exactOptional(),
    tag: line().describe('Tag to stay at.').exactOptional(),
    commit: z
      .string()
      .regex(COMMIT, { error: 'must be a whole commit hash' })
      .describe('Commit to stay at.')
      .exactOptional(),
  })
  .refine((ref) => Object.keys(ref).length === 1, { error: 'must name exactly one of branch, tag and commit' })
  .describe('Which revision is wanted; left out, the head of the repository.');

const verifySpec = z
  .strictObject({
    mode: z.enum(['Head', 'Tag']).describe('What must be signed: the commit, or the tag.'),
    keys: z.array(hostPath()).min(1, { error: 'must name a key' }).describe('Files with the keys that are trusted.'),
  })
  .describe('Signatures that a revision must have to be used.');

export const manifestSourceSchema = z
  .strictObject({
    url: line()
      .regex(URL, { error: 'must be an https, ssh or file address of a git repository' })
      .refine((url) => !/^\w+:\/\/[^/@]*:[^/@]*@/.test(url), { error: 'must not hold a password' })
      .describe('Git repository with the manifests.'),
    ref: refSpec.exactOptional(),
    path: line().default('.').describe('Directory in the repository that holds them.'),
    interval: duration().default('1m').describe('How often to look for a new revision.'),
    timeout: duration().default('60s').describe('How long looking may take.'),
    verify: verifySpec.exactOptional(),
    suspend: z.boolean().default(false).describe('Whether looking is paused.'),
  })
  .describe('A git repository that the manifest directory is kept in step with.');

export type ManifestSourceSpec = z.infer<typeof manifestSourceSchema>;

export interface ManifestSourceStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  /** `branch@sha1:hash` of what is applied. */
  readonly revision?: string;
  readonly failure?: { readonly message: string; readonly since: string };
}

export const MANIFEST_SOURCE_CONDITIONS = {
  /** True when the manifest is valid and everything it names exists. */
  Accepted: ACCEPTED_REASONS,
  /** True when the newest revision is applied. */
  Ready: [
    /** The newest revision is applied. */
    'Applied',
    /** The repository could not be read; the last revision stands. */
    'FetchFailed',
    /** The newest revision lacks a trusted signature; the last revision stands. */
    'NotVerified',
    /** Looking is paused. */
    'Suspended',
    /** It asks for something that this version does not do. */
    'NotSupportedYet',
    /** It is marked for deletion. */
    'Terminating',
    /** No pass over it has ended yet. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;
