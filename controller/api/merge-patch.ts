import type { Resource } from '../../crds/meta';
import { printable } from '../../crds/text';
import { badRequest, conflict, invalid } from './errors';
import { factCauses, SETTABLE_FACTS, type Facts } from './facts';
import type { ResourceInfo } from './wire/resources';

/** Parts of a patch that kubectl adds and that change nothing. */
const IDENTITY_FIELDS = ['apiVersion', 'kind', 'metadata'];
const IDENTITY_META = ['name', 'uid', 'resourceVersion', 'annotations'];

interface Target {
  readonly info: ResourceInfo;
  readonly object: Resource;
  /** Where specs are edited, for the message. */
  readonly editedIn: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The facts that a JSON merge patch (RFC 7396) sets. Only few can be set here, with values that mean something: a spec
 * belongs to the manifest, so everything else is refused with the name of the file to edit.
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
  const entries = Object.entries(asRecord(annotations, 'metadata.annotations')).map(([key, value]) => {
    if (typeof value === 'string' || value === null) return [key, value] as const;
    throw badRequest(`annotation ${printable(key)} must be a string or null`);
  });
  const facts: Facts = Object.fromEntries(entries);
  const { info, object, now } = target;
  const causes = factCauses(facts, { kind: object.kind, now, forbidden: forbidden(target) });
  if (causes.length > 0) throw invalid(info, object.metadata.name, causes);
  return facts;
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

function refusal(field: string, target: Target): Error {
  const cause = { field: printable(field), message: `Forbidden: ${forbidden(target)}` };
  return invalid(target.info, target.object.metadata.name, [{ reason: 'FieldValueForbidden', ...cause }]);
}

function forbidden({ editedIn }: Target): string {
  return `this is edited in ${editedIn}; ${SETTABLE_FACTS}`;
}

function asRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest(`${what} must be an object`);
}
