import { API_GROUP, API_VERSION, KINDS, type Kind } from '../../../crds/meta';

/** What one resource type is called, and where the API serves it. */
export interface ResourceInfo {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly apiVersion: string;
  /** Path of the collection. */
  readonly path: string;
}

export interface KindInfo extends ResourceInfo {
  readonly kind: Kind;
  /** Words that stand for several types: `all` leaves out what is mostly built in. */
  readonly categories: readonly string[];
}

const SHORT_NAMES: Readonly<Record<Kind, readonly string[]>> = {
  Settings: [],
  Project: ['proj'],
  SandboxTemplate: ['sbt'],
  Sandbox: ['sb'],
  Session: ['sess'],
  CredentialShare: ['cred'],
  Agent: [],
  ManifestSource: ['src'],
};

/** Of every kind, in the order in which `get all` prints them. */
export const RESOURCES: readonly KindInfo[] = KINDS.map(kindInfo);

/** Events are core/v1, where kubectl looks for them. */
export const EVENTS: ResourceInfo = {
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  apiVersion: 'v1',
  path: '/api/v1/events',
};

/** Objects of ours have no namespace; kubectl looks for the events of such objects in this one. */
export const EVENT_NAMESPACE = 'default';

function kindInfo(kind: Kind): KindInfo {
  const singular = kind.toLowerCase();
  const plural = pluralOf(singular);
  const path = `/apis/${API_VERSION}/${plural}`;
  const categories = kind === 'Agent' ? ['berth'] : ['all', 'berth'];
  return { kind, plural, singular, shortNames: SHORT_NAMES[kind], apiVersion: API_VERSION, path, categories };
}

/** `sandbox` → `sandboxes`; `settings` is a plural already. */
function pluralOf(singular: string): string {
  if (singular.endsWith('s')) return singular;
  return singular.endsWith('x') ? `${singular}es` : `${singular}s`;
}

export function resourceOf(kind: Kind): KindInfo {
  return RESOURCES.find((info) => info.kind === kind) ?? kindInfo(kind);
}

/** The types that a category stands for; none when it is no category. */
export function categoryOf(word: string): readonly KindInfo[] {
  return RESOURCES.filter(({ categories }) => categories.includes(word.toLowerCase()));
}

/** By what a person may call it: plural, singular, short name or kind in any case, with or without the group. */
export function findResource(word: string): ResourceInfo | undefined {
  const name = word.toLowerCase().replace(new RegExp(`\\.(v1alpha1\\.)?${API_GROUP.replace('.', '\\.')}$`), '');
  return [...RESOURCES, EVENTS].find(
    (info) => info.plural === name || info.singular === name || info.shortNames.includes(name),
  );
}

/** `sandbox.berth.dev/main`: how kubectl writes an object's name in messages and with `-o name`. */
export function qualifiedName(info: ResourceInfo, name: string): string {
  return `${qualified(info, info.singular)}/${name}`;
}

/** `sandboxes.berth.dev`; core types have no group to add. */
export function qualifiedPlural(info: ResourceInfo): string {
  return qualified(info, info.plural);
}

/** The group part of an `apiVersion`: empty for core types. */
export function groupOf(info: ResourceInfo): string {
  const slash = info.apiVersion.indexOf('/');
  return slash === -1 ? '' : info.apiVersion.slice(0, slash);
}

function qualified(info: ResourceInfo, word: string): string {
  const group = groupOf(info);
  return group === '' ? word : `${word}.${group}`;
}
