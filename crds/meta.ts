/** The API group; it is part of every stored object and never changes. */
export const API_GROUP = 'berth.dev';
export const API_VERSION = `${API_GROUP}/v1alpha1`;

/** Every kind a manifest may declare, in the order in which `get all` prints them. */
export const KINDS = [
  'Settings',
  'Project',
  'SandboxTemplate',
  'Sandbox',
  'Session',
  'CredentialShare',
  'Agent',
  'ManifestSource',
] as const;

export type Kind = (typeof KINDS)[number];

/** What a work queue carries and what objects are found by: nothing about what happened travels with it. */
export interface Key {
  readonly kind: Kind;
  readonly name: string;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: Kind;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
}

/** Standard Kubernetes object metadata, the part that Berth uses. Times are RFC 3339 in UTC. */
export interface ObjectMeta {
  readonly name: string;
  readonly uid: string;
  /** Goes up when the spec changes and when deletion is requested; never for status, labels or annotations. */
  readonly generation: number;
  /** Opaque; goes up with every stored change of any object. */
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** A stored object. `status` is absent until the first pass over it has ended. */
export interface Resource<Spec = unknown, Status = unknown> {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: Kind;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}

/** What one YAML document declares: no uid, no generation, no status; those are the controller's. */
export interface Declaration<Spec = unknown> {
  readonly kind: Kind;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Spec;
}

/** Annotations with this prefix are facts that the controller keeps: a manifest may not set them. */
export const FACT_PREFIX = `${API_GROUP}/`;

/** Asks for a restart of what runs now: `ctl restart` sets it to the time of the request. */
export const RESTARTED_AT = `${FACT_PREFIX}restartedAt`;

export function keyOf(object: { kind: Kind; metadata: { name: string } }): Key {
  return { kind: object.kind, name: object.metadata.name };
}

/** `Sandbox/main`: the one spelling of a key, in logs, queues and indexes. */
export function formatKey(key: Key): string {
  return `${key.kind}/${key.name}`;
}

export function sameKey(a: Key, b: Key): boolean {
  return a.kind === b.kind && a.name === b.name;
}
