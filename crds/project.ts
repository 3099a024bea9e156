import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { hostPath, line } from './fields';
import { ACCEPTED_REASONS } from './reasons';

export const projectSchema = z
  .strictObject({
    path: hostPath().describe('Directory of this machine: absolute, below ~/, or relative to the manifest file.'),
    access: z
      .enum(['ReadWrite', 'ReadOnly'])
      .default('ReadWrite')
      .describe('Whether sandboxes may change it or only read it.'),
    volumeIgnores: z
      .array(line())
      .describe('Paths and patterns in it that get a volume of their own in place of the host directory.')
      .exactOptional(),
    worktreeRoot: hostPath().describe('Where worktrees of it are made.').exactOptional(),
  })
  .describe('A directory of this machine that sandboxes may be given.');

export type ProjectSpec = z.infer<typeof projectSchema>;

export interface ProjectGitStatus {
  readonly isRepository: boolean;
  /** Branch name, or the commit of a detached head. */
  readonly head?: string;
  /** Where the repository's objects are: elsewhere for a linked worktree. */
  readonly commonDir?: string;
}

export interface ProjectStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
  /** Absolute and free of links; absent while the path is not usable. */
  readonly path?: string;
  /** Device and inode of the directory: another one may have taken its place. */
  readonly identity?: string;
  readonly git?: ProjectGitStatus;
  /** Names of the sandboxes that are given it, sorted. */
  readonly usedBy: readonly string[];
}

export const PROJECT_CONDITIONS = {
  /** True when the manifest is valid. */
  Accepted: ACCEPTED_REASONS,
  /** True when the directory is there and may be mounted. */
  Ready: [
    /** The directory is there and may be mounted. */
    'Usable',
    /** There is nothing at the path. */
    'PathMissing',
    /** There is something else than a directory at the path. */
    'NotADirectory',
    /** The directory may not be read by the user that Berth runs as. */
    'NotReadable',
    /** The path is one that is never shared, such as a directory of the system, or is reached through a link of a session’s. */
    'PathForbidden',
    /** The path is, or contains, the root of the file system. */
    'HoldsRoot',
    /** The path is, or contains, the home directory. */
    'HoldsHome',
    /** The path contains the manifests, or lies among them. */
    'HoldsManifests',
    /** The path contains Berth's own data, or lies in it. */
    'HoldsState',
    /** The path contains the socket of a container runtime. */
    'HoldsEngineSocket',
    /** It asks for something that this version does not do. */
    'NotSupportedYet',
    /** It is marked for deletion. */
    'Terminating',
    /** No pass over it has ended yet. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;

export type ProjectReason = (typeof PROJECT_CONDITIONS)['Ready'][number];
