import {
  containerNotFound,
  containerPaused,
  containerStopped,
  imageNotFound,
  mountRejected,
  nameTaken,
  RuntimeError,
  volumeInUse,
  type RuntimeErrorCode,
} from '../errors';
import type { FailureCause } from '../../crds/failures';
import type { Dialect } from './dialect';
import { describeReply, type EngineReply } from './error-text';
import { pathIn, portIn } from './error-slots';

/** What a call was about: what the engine leaves out of its words is filled in from here. */
export interface CallContext {
  /** As a person would say it, e.g. `creating the container`. */
  readonly operation: string;
  readonly container?: string;
  readonly image?: string;
  readonly volume?: string;
  /** The call fetches that image: whatever fails without a better name is the fetching. */
  readonly pulling?: boolean;
  /** Host paths that the call mounts. */
  readonly sources?: readonly string[];
}

export interface EngineIdentity {
  readonly dialect: Dialect;
  readonly endpoint: string;
  /** Whether the engine's programs are on this machine. */
  readonly installed: () => boolean;
}

/** Turns whatever a call threw into the one error that drivers throw. Idempotent on its own result. */
export function fromEngine(error: unknown, context: CallContext, engine: EngineIdentity): RuntimeError {
  if (error instanceof RuntimeError) return error;
  const reply = describeReply(error);
  const found = connectionError(reply, engine) ?? spokenError(reply, context, engine.dialect);
  return found ?? unknownError(reply);
}

/** The first line of the engine's words, which is what fits into a message. */
function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

interface Wording {
  readonly code: RuntimeErrorCode;
  readonly cause: FailureCause;
  readonly slots: Readonly<Record<string, string>>;
}

function build(reply: EngineReply, { code, cause, slots }: Wording): RuntimeError {
  return new RuntimeError({ code, failure: { cause, slots }, detail: reply.text, cause: reply.error });
}

const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTCONN', 'EHOSTUNREACH', 'ETIMEDOUT', 'ENOTFOUND']);
const DENIED = new Set(['EACCES', 'EPERM']);

/** No HTTP answer came: the socket itself failed. Only here does "permission denied" mean the engine's door. */
function connectionError(reply: EngineReply, engine: EngineIdentity): RuntimeError | undefined {
  if (reply.status !== undefined || reply.errno === undefined) return undefined;
  const slots = { runtime: engine.dialect.kind, endpoint: engine.endpoint, detail: reply.text };
  if (DENIED.has(reply.errno)) return build(reply, { code: 'Unavailable', cause: 'PermissionDenied', slots });
  if (reply.errno === 'ENOENT' && !engine.installed()) {
    return build(reply, { code: 'Unavailable', cause: 'NotInstalled', slots });
  }
  if (reply.errno === 'ENOENT' || GONE.has(reply.errno)) {
    return build(reply, { code: 'Unavailable', cause: 'NotRunning', slots });
  }
  return undefined;
}

type Classifier = (reply: EngineReply, context: CallContext, dialect: Dialect) => RuntimeError | undefined;

/** First hit wins: the narrow words come before the broad ones, and what the verb implies comes last. */
const CLASSIFIERS: readonly Classifier[] = [
  tooOld,
  notPermitted,
  pullRefused,
  imageMissing,
  portTaken,
  mountRefused,
  limitRefused,
  programMissing,
  containerTrouble,
  volumeBusy,
  pullFailed,
];

function spokenError(reply: EngineReply, context: CallContext, dialect: Dialect): RuntimeError | undefined {
  for (const classify of CLASSIFIERS) {
    const found = classify(reply, context, dialect);
    if (found) return found;
  }
  return undefined;
}

function says(reply: EngineReply, phrases: readonly string[]): boolean {
  const text = reply.text.toLowerCase();
  return phrases.some((phrase) => text.includes(phrase));
}

function tooOld(reply: EngineReply, _context: CallContext, dialect: Dialect): RuntimeError | undefined {
  if (!says(reply, ['maximum supported api version'])) return undefined;
  const slots = { runtime: dialect.kind, minimum: dialect.minimumVersion, detail: reply.text };
  return build(reply, { code: 'Unavailable', cause: 'VersionTooOld', slots });
}

function notPermitted(reply: EngineReply, _context: CallContext, dialect: Dialect): RuntimeError | undefined {
  if (!says(reply, dialect.phrases.notPermitted)) return undefined;
  const slots = { runtime: dialect.kind, detail: firstLine(reply.text) };
  return build(reply, { code: 'Unavailable', cause: 'PermissionDenied', slots });
}

function pullRefused(reply: EngineReply, context: CallContext): RuntimeError | undefined {
  if (!says(reply, ['toomanyrequests', 'pull rate limit', 'unauthorized'])) return undefined;
  return pullFailed(reply, { ...context, pulling: true });
}

function imageMissing(reply: EngineReply, context: CallContext): RuntimeError | undefined {
  if (context.image === undefined) return undefined;
  const unknown = ['no such image', 'image not known', 'manifest unknown', 'pull access denied'];
  if (!says(reply, [...unknown, 'repository does not exist', 'name unknown'])) return undefined;
  return imageNotFound(context.image, reply.text, reply.error);
}

function portTaken(reply: EngineReply): RuntimeError | undefined {
  if (!says(reply, ['address already in use', 'port is already allocated'])) return undefined;
  const port = portIn(reply.text);
  const slots = { detail: firstLine(reply.text), ...(port === undefined ? {} : { port }) };
  return build(reply, { code: 'Conflict', cause: 'PortUnavailable', slots });
}

function mountRefused(reply: EngineReply, context: CallContext, dialect: Dialect): RuntimeError | undefined {
  if (!says(reply, dialect.phrases.mountRejected)) return undefined;
  return mountRejected(pathIn(reply.text, context.sources ?? []), reply.text, reply.error);
}

const LIMIT_WORDS: readonly (readonly [limit: string, phrases: readonly string[]])[] = [
  ['storage', ['--storage-opt', 'pquota', 'storage option size']],
  ['memory', ['memory limit']],
  ['cpus', ['range of cpus']],
  ['processes', ['pids limit']],
];

function limitRefused(reply: EngineReply): RuntimeError | undefined {
  const hit = LIMIT_WORDS.find(([, phrases]) => says(reply, phrases));
  if (!hit) return undefined;
  const slots = { limit: hit[0], detail: firstLine(reply.text) };
  return build(reply, { code: 'InvalidSpec', cause: 'LimitRejected', slots });
}

/** The program is not in the image, or may not be run: asking again will not help. */
function programMissing(reply: EngineReply): RuntimeError | undefined {
  if (!says(reply, ['unable to start container process: exec:'])) return undefined;
  return build(reply, { code: 'InvalidSpec', cause: 'Unknown', slots: { detail: firstLine(reply.text) } });
}

function containerTrouble(reply: EngineReply, context: CallContext, dialect: Dialect): RuntimeError | undefined {
  const { container } = context;
  if (container === undefined) return undefined;
  if (says(reply, dialect.phrases.nameTaken)) return nameTaken(container, reply.text, reply.error);
  if (reply.status === 404) return containerNotFound(container, reply.text, reply.error);
  if (says(reply, dialect.phrases.containerPaused)) return containerPaused(container, reply.text, reply.error);
  if (says(reply, dialect.phrases.containerStopped)) return containerStopped(container, reply.text, reply.error);
  return undefined;
}

function volumeBusy(reply: EngineReply, context: CallContext): RuntimeError | undefined {
  if (context.volume === undefined || reply.status !== 409) return undefined;
  return volumeInUse(context.volume, reply.text, reply.error);
}

function pullFailed(reply: EngineReply, context: CallContext): RuntimeError | undefined {
  if (context.pulling !== true || context.image === undefined) return undefined;
  const slots = { reference: context.image, detail: firstLine(reply.text) };
  return build(reply, { code: 'Internal', cause: 'ImagePullFailed', slots });
}

const CODES: Readonly<Record<number, RuntimeErrorCode>> = { 400: 'InvalidSpec', 404: 'NotFound', 409: 'Conflict' };

function unknownError(reply: EngineReply): RuntimeError {
  const code = CODES[reply.status ?? 0] ?? 'Internal';
  return build(reply, { code, cause: 'Unknown', slots: { detail: firstLine(reply.text) } });
}
