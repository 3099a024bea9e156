import { API_VERSION, FACT_PREFIX, type Declaration, type OwnerReference, type Resource } from '../../crds/meta';
import type { ManifestState } from '../store';

/** The fact that tells where an object is declared: `path:line`. */
export const MANIFEST_FACT = `${FACT_PREFIX}manifest`;

/** What the store decides for each new object. */
export interface Birth {
  readonly uid: string;
  readonly at: string;
  readonly revision: string;
}

/** Each of these returns the changed object, or the very same one when there is nothing to change. */
export function born(declaration: Declaration, manifest: ManifestState, birth: Birth): Resource {
  return {
    apiVersion: API_VERSION,
    kind: declaration.kind,
    metadata: {
      name: declaration.name,
      uid: birth.uid,
      generation: 1,
      resourceVersion: birth.revision,
      creationTimestamp: birth.at,
      ...declaredMetadata(declaration, manifest, {}),
    },
    spec: declaration.spec,
  };
}

export function redeclared(resource: Resource, declaration: Declaration, manifest: ManifestState): Resource {
  const specChanged = !sameJson(resource.spec, declaration.spec);
  const facts = factsOf(resource.metadata.annotations);
  const declared = declaredMetadata(declaration, manifest, facts);
  const { labels, annotations, ownerReferences } = resource.metadata;
  if (!specChanged && sameJson({ labels, annotations, ownerReferences }, declared)) return resource;
  const generation = resource.metadata.generation + (specChanged ? 1 : 0);
  return {
    ...resource,
    metadata: { ...omitDeclared(resource.metadata), ...declared, generation },
    spec: specChanged ? declaration.spec : resource.spec,
  };
}

export function annotated(resource: Resource, facts: Readonly<Record<string, string | null>>): Resource {
  const next: Record<string, string> = { ...resource.metadata.annotations };
  for (const [name, value] of Object.entries(facts)) {
    if (value === null) Reflect.deleteProperty(next, name);
    else next[name] = value;
  }
  if (sameJson(next, resource.metadata.annotations ?? {})) return resource;
  return { ...resource, metadata: { ...resource.metadata, annotations: next } };
}

export function doomed(resource: Resource, at: string): Resource {
  if (resource.metadata.deletionTimestamp) return resource;
  const { metadata } = resource;
  return { ...resource, metadata: { ...metadata, deletionTimestamp: at, generation: metadata.generation + 1 } };
}

export function withFinalizers(resource: Resource, finalizers: readonly string[]): Resource {
  const { finalizers: before, ...metadata } = resource.metadata;
  if (sameJson(before ?? [], finalizers)) return resource;
  return { ...resource, metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata };
}

export function withStatus(resource: Resource, status: object): Resource {
  return sameJson(resource.status, status) ? resource : { ...resource, status };
}

/** Structural equality of plain data; the order of keys does not matter, that of lists does, and undefined is absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  for (const key in a) if (!sameJson(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

interface DeclaredMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
}

function declaredMetadata(declaration: Declaration, manifest: ManifestState, facts: object): DeclaredMetadata {
  const { origin } = manifest;
  const place = origin.type === 'File' ? { [MANIFEST_FACT]: `${origin.path}:${origin.line}` } : {};
  const annotations = { ...declaration.annotations, ...facts, ...place };
  return {
    ...(Object.keys(declaration.labels).length > 0 ? { labels: declaration.labels } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(origin.type === 'Owned' ? { ownerReferences: [origin.owner] } : {}),
  };
}

function omitDeclared(metadata: Resource['metadata']): Omit<Resource['metadata'], keyof DeclaredMetadata> {
  const { labels, annotations, ownerReferences, ...rest } = metadata;
  return rest;
}

function factsOf(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const facts = Object.entries(annotations ?? {}).filter(([name]) => name.startsWith(FACT_PREFIX));
  return Object.fromEntries(facts.filter(([name]) => name !== MANIFEST_FACT));
}
