import type { z } from 'zod';
import { AGENT_CONDITIONS, agentSchema } from './agent';
import type { ConditionTable } from './conditions';
import { CREDENTIAL_SHARE_CONDITIONS, credentialShareSchema } from './credential-share';
import { MANIFEST_SOURCE_CONDITIONS, manifestSourceSchema } from './manifest-source';
import type { Kind } from './meta';
import { KINDS } from './meta';
import { PROJECT_CONDITIONS, projectSchema } from './project';
import { SANDBOX_CONDITIONS, sandboxSchema } from './sandbox';
import { SANDBOX_TEMPLATE_CONDITIONS, sandboxTemplateSchema } from './sandbox-template';
import { SESSION_CONDITIONS, sessionSchema } from './session';
import { SETTINGS_CONDITIONS, settingsSchema } from './settings';

export interface KindDefinition {
  readonly kind: Kind;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** `all` is what `get all` lists. */
  readonly categories: readonly string[];
  /** Validates a document's `spec` and fills in its defaults. */
  readonly schema: z.ZodType;
  readonly conditions: ConditionTable;
  /** Dotted paths that are accepted with a warning, since they have no effect in this version. */
  readonly laterFields: readonly string[];
}

type Rest = Omit<KindDefinition, 'kind' | 'singular' | 'laterFields'> & { readonly laterFields?: readonly string[] };

const LATER_IN_SANDBOXES = [
  'spec.idle',
  'spec.volumeIgnores',
  'spec.volumeIgnoresStrategy',
  'spec.network.ports',
] as const;

const RESOURCES: Readonly<Record<Kind, Rest>> = {
  Settings: {
    plural: 'settings',
    shortNames: [],
    categories: ['all'],
    schema: settingsSchema,
    conditions: SETTINGS_CONDITIONS,
    laterFields: [
      'spec.permissions',
      'spec.environmentInclude',
      'spec.hostEnvironment',
      'spec.hostHooks',
      'spec.preTrust',
      'spec.pairedTerminal',
      'spec.tools',
      'spec.scrollbackLines',
    ],
  },
  Project: {
    plural: 'projects',
    shortNames: ['proj'],
    categories: ['all'],
    schema: projectSchema,
    conditions: PROJECT_CONDITIONS,
    laterFields: ['spec.volumeIgnores', 'spec.worktreeRoot'],
  },
  SandboxTemplate: {
    plural: 'sandboxtemplates',
    shortNames: ['sbt'],
    categories: ['all'],
    schema: sandboxTemplateSchema,
    conditions: SANDBOX_TEMPLATE_CONDITIONS,
    laterFields: LATER_IN_SANDBOXES,
  },
  Sandbox: {
    plural: 'sandboxes',
    shortNames: ['sb'],
    categories: ['all'],
    schema: sandboxSchema,
    conditions: SANDBOX_CONDITIONS,
    laterFields: LATER_IN_SANDBOXES,
  },
  Session: {
    plural: 'sessions',
    shortNames: ['sess'],
    categories: ['all'],
    schema: sessionSchema,
    conditions: SESSION_CONDITIONS,
    laterFields: ['spec.worktree', 'spec.prompt', 'spec.permissions', 'spec.environment', 'spec.resume'],
  },
  CredentialShare: {
    plural: 'credentialshares',
    shortNames: ['cred'],
    categories: ['all'],
    schema: credentialShareSchema,
    conditions: CREDENTIAL_SHARE_CONDITIONS,
    laterFields: ['spec'],
  },
  Agent: {
    plural: 'agents',
    shortNames: [],
    categories: [],
    schema: agentSchema,
    conditions: AGENT_CONDITIONS,
    laterFields: [
      'spec.aliases',
      'spec.detectCommand',
      'spec.permissions',
      'spec.resume',
      'spec.environment',
      'spec.stores',
      'spec.trust',
      'spec.hooksFile',
      'spec.configDir',
      'spec.executionAs',
      'spec.detectAs',
      'spec.placements',
    ],
  },
  ManifestSource: {
    plural: 'manifestsources',
    shortNames: ['src'],
    categories: ['all'],
    schema: manifestSourceSchema,
    conditions: MANIFEST_SOURCE_CONDITIONS,
    laterFields: ['spec'],
  },
};

const DEFINITIONS = new Map<Kind, KindDefinition>(KINDS.map((kind) => [kind, define(kind, RESOURCES[kind])]));

function define(kind: Kind, rest: Rest): KindDefinition {
  return { kind, singular: kind.toLowerCase(), laterFields: [], ...rest };
}

export function kindDefinition(kind: Kind): KindDefinition {
  const definition = DEFINITIONS.get(kind);
  if (definition === undefined) throw new Error(`no such kind: ${kind}`);
  return definition;
}

/** All kinds, in the order in which `get all` prints them. */
export function kindDefinitions(): readonly KindDefinition[] {
  return KINDS.map(kindDefinition);
}

/** A kind by any of its names, in any case: `Sandbox`, `sandboxes`, `sb`, `sandboxes.berth.dev`. */
export function kindByName(name: string): KindDefinition | undefined {
  const wanted = name.toLowerCase().replace(/\.berth\.dev$/, '');
  return kindDefinitions().find((each) => namesOf(each).includes(wanted));
}

function namesOf(definition: KindDefinition): readonly string[] {
  return [definition.singular, definition.plural, ...definition.shortNames];
}
