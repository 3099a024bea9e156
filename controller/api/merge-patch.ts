import { FACT_PREFIX, type Resource } from '../../crds/meta';
import { MANIFEST_FACT } from '../state/mutations';
import { badRequest, conflict, invalid } from './errors';
import type { ResourceInfo } from './wire/resources';

export type Facts = Readonly<Record<string, string | null>>;

/** Parts of a patch that kubectl adds and that change nothing. */
const IDENTITY_FIELDS = ['apiVersion', 'kind', 'metadata'];
const IDENTITY_META = ['name', 'uid', 'resourceVersion', 'annotations'];

interface Target {
  readonly info: ResourceInfo;
  readonly object: Resource;
  /** Where specs are edited, for the message. */
  readonly editedIn: string;
}

/**
 * The facts that a JSON merge patch (RFC 7396) sets. Only annotations with our prefix can be set here: a spec belongs to
 * the manifest, so everything else is refused with the name of the file to edit.
 */
export function factsOf(patch: unknown, target: Target): Facts {
  const body = asRecord(patch, 'the patch');
  const metadata = asRecord(body['metadata'] ?? {}, 'metadata');
  refuseOthers(body, IDENTITY_FIELDS, '', target);
  refuseOthers(metadata, IDENTITY_META, 'metadata.', target);
  checkIdentity(metadata, target);
  return annotationFacts(metadata['annotations'] ?? {}, target);
}

function annotationFacts(annotations: unknown, target: Target): Facts {
  const facts: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(asRecord(annotations, 'metadata.annotations'))) {
    if (!isSettable(key)) throw refusal(`metadata.annotations[${key}]`, target);
    if (typeof value !== 'string' && value !== null) throw badRequest(`annotation ${key} must be a string or null`);
    facts[key] = value;
  }
  return facts;
}

/** Where an object is declared is for the controller to say. */
function isSettable(key: string): boolean {
  return key.startsWith(FACT_PREFIX) && key !== MANIFEST_FACT;
}

function refuseOthers(part: object, allowed: readonly string[], prefix: string, target: Target): void {
  const other = Object.keys(part).find((field) => !allowed.includes(field));
  if (other !== undefined) throw refusal(`${prefix}${other}`, target);
}

function checkIdentity(metadata: Readonly<Record<string, unknown>>, { info, object }: Target): void {
  const { name, uid, resourceVersion } = object.metadata;
  if ((metadata['name'] ?? name) !== name) throw badRequest('the name in the patch is not the name in the path');
  if ((metadata['uid'] ?? uid) !== uid)
    throw conflict(info, name, 'it is another object of that name (its uid differs)');
  if ((metadata['resourceVersion'] ?? resourceVersion) !== resourceVersion) {
    throw conflict(info, name, 'the object has been modified; please apply your changes to the latest version');
  }
}

function refusal(field: string, { info, object, editedIn }: Target): Error {
  const message = `this is edited in ${editedIn}; only annotations with the prefix ${FACT_PREFIX} can be set here`;
  return invalid(info, object.metadata.name, { field, message });
}

function asRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest(`${what} must be an object`);
}
