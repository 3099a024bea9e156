import { groupOf, qualifiedPlural, type ResourceInfo } from './wire/resources';
import type { Status, StatusCause, StatusDetails, StatusReason } from './wire/types';

/** An answer that is a v1 Status. Thrown by handlers, sent by the error handler. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;

  constructor(code: number, reason: StatusReason, message: string, details?: StatusDetails) {
    super(message);
    this.status = failure(code, reason, message, details);
  }
}

export function failure(code: number, reason: StatusReason, message: string, details?: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  };
}

/** What a deletion answers when nothing of the object is left. */
export function deleted(info: ResourceInfo, name: string, uid: string): Status {
  const details = { name, group: groupOf(info), kind: info.plural, uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 };
}

export function notFound(info: ResourceInfo, name: string): ApiError {
  const details = { name, group: groupOf(info), kind: info.plural };
  return new ApiError(404, 'NotFound', `${qualifiedPlural(info)} "${name}" not found`, details);
}

export function unknownPath(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function methodNotAllowed(message: string): ApiError {
  return new ApiError(405, 'MethodNotAllowed', message, {});
}

export function notAcceptable(): ApiError {
  const message = 'only application/json is served, as it is or as=Table;v=v1;g=meta.k8s.io';
  return new ApiError(406, 'NotAcceptable', message, {});
}

export function unsupportedMediaType(expected: string): ApiError {
  return new ApiError(415, 'UnsupportedMediaType', `the body of the request must be ${expected}`, {});
}

export function conflict(info: ResourceInfo, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualifiedPlural(info)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, { name, group: groupOf(info), kind: info.plural });
}

/** What is wrong with a field; the message begins as Kubernetes' own does, with the reason in words. */
export interface Cause extends StatusCause {
  readonly reason: 'FieldValueForbidden' | 'FieldValueInvalid';
  readonly field: string;
}

/** A change that the API does not make; `details.kind` is the kind itself, the way kubectl prints it. */
export function invalid(info: ResourceInfo, name: string, causes: readonly Cause[]): ApiError {
  const details = { name, group: groupOf(info), kind: info.kind, causes };
  const list = causes.map(({ field, message }) => `${field}: ${message}`);
  const what = list.length === 1 ? list.join() : `[${list.join(', ')}]`;
  return new ApiError(422, 'Invalid', `${info.kind} "${name}" is invalid: ${what}`, details);
}

/** The watch can't begin there any more: the client lists again. */
export function expired(resourceVersion: string): ApiError {
  return new ApiError(410, 'Expired', `too old resource version: ${resourceVersion}`);
}
