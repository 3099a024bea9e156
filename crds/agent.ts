import { z } from 'zod';
import type { Condition, ConditionTable } from './conditions';
import { environmentList } from './environment';
import { hostPath, line, uniqueList } from './fields';
import { ACCEPTED_REASONS } from './reasons';

const permissionsSpec = z
  .strictObject({
    yoloArgs: z.array(line()).describe('Arguments that let it act without asking.').exactOptional(),
    yoloEnvironment: environmentList().describe('Variables that let it act without asking.').exactOptional(),
    alwaysYolo: z.boolean().default(false).describe('Whether it acts without asking in any case.'),
  })
  .describe('How it is let act without asking.');

const resumeSpec = z
  .strictObject({
    args: z.array(line()).describe('Arguments that resume; {conversation} stands for its name.').exactOptional(),
    startArgs: z.array(line()).describe('Arguments that name a new conversation {conversation}.').exactOptional(),
    afterCrash: z.boolean().default(true).describe('Whether it is started again after a crash.'),
  })
  .describe('How an earlier conversation is gone on with.');

const storeSpec = z
  .strictObject({
    directory: hostPath().describe('Directory that it keeps its files in, below ~/.'),
    copyFiles: z.array(line()).describe('Files copied from this machine at each start.').exactOptional(),
    copyFilesOnce: z.array(line()).describe('Files copied from this machine while absent.').exactOptional(),
    copyDirectoriesOnce: z.array(line()).describe('Directories copied from this machine while absent.').exactOptional(),
    state: z.array(line()).describe('What is its history and never copied.').exactOptional(),
    shared: z.array(line()).describe('Files that all sandboxes have in common, such as a sign-in.').exactOptional(),
  })
  .describe('One directory of its private files.');

const trustSpec = z
  .strictObject({
    when: z
      .enum(['Always', 'Yolo', 'Never'])
      .describe('In which sandboxed sessions the project is trusted beforehand.'),
    format: z
      .enum(['ClaudeJson', 'CodexToml', 'GeminiSettings'])
      .describe('Which file says so, and how.')
      .exactOptional(),
  })
  .describe('How it is told that it may work in a project.');

const installSpec = z
  .strictObject({
    hint: line().describe('What to do where its program is missing.'),
    package: line().describe('Package of the npm registry that has it.').exactOptional(),
  })
  .describe('How its program is had.');

export const agentSchema = z
  .strictObject({
    command: z.array(line()).min(1, { error: 'must name a program' }).describe('Program and arguments that start it.'),
    displayName: line().describe('Name for people.').exactOptional(),
    aliases: uniqueList(line()).describe('Other names that people know it by.').exactOptional(),
    detectCommand: z.array(line()).min(1).describe('Program and arguments that prove it is there.').exactOptional(),
    install: installSpec.exactOptional(),
    permissions: permissionsSpec.exactOptional(),
    resume: resumeSpec.exactOptional(),
    environment: environmentList()
      .describe('Variables it is started with in a sandbox; {home} stands for the home directory there.')
      .exactOptional(),
    stores: z.array(storeSpec).describe('Where it keeps its private files.').exactOptional(),
    trust: trustSpec.exactOptional(),
    hooksFile: line().describe('File in its first store that holds its status hooks.').exactOptional(),
    configDir: hostPath().describe('Directory of this machine it uses in place of its usual one.').exactOptional(),
    executionAs: line().describe('Agent whose program this one wraps.').exactOptional(),
    detectAs: line().describe('Agent whose way of telling what it does fits this one.').exactOptional(),
    placements: uniqueList(z.enum(['Host', 'Sandbox']))
      .describe('Where it can run; left out, both.')
      .exactOptional(),
    deprecated: line().describe('Why not to choose it any more.').exactOptional(),
  })
  .describe('How one AI command line is started, resumed, trusted and signed in.');

export type AgentSpec = z.infer<typeof agentSchema>;

export interface AgentStatus {
  readonly observedGeneration: number;
  readonly conditions: readonly Condition[];
}

export const AGENT_CONDITIONS = {
  /** True when the manifest is valid and everything it asks for exists in this version. */
  Accepted: ACCEPTED_REASONS,
  /** True when sessions can name it. */
  Ready: [
    /** Sessions can name it. */
    'Usable',
    /** It is marked for deletion. */
    'Terminating',
    /** No pass over it has ended yet. */
    'NotObserved',
  ],
} as const satisfies ConditionTable;
