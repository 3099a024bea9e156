import { isRecord } from './replies';

/** A failed call, reduced to what can be told apart. */
export interface EngineReply {
  /** The HTTP status, when there was an answer. */
  readonly status?: number;
  /** The system's name for it, e.g. `ECONNREFUSED`, when there was none. */
  readonly errno?: string;
  /** The engine's own words, all of them. */
  readonly text: string;
  readonly error: unknown;
}

/** Reads dockerode's errors (`statusCode`, `json`, a prefixed message) and the system's (`code`). */
export function describeReply(error: unknown): EngineReply {
  if (!isRecord(error)) return { text: String(error), error };
  const text = engineMessage(error.json) ?? withoutPrefix(typeof error.message === 'string' ? error.message : '');
  const { statusCode, code } = error;
  if (typeof statusCode === 'number') return { status: statusCode, text, error };
  if (typeof code === 'string') return { errno: code, text, error };
  // Node has no code for a server that hangs up in the middle of an answer.
  return text === 'socket hang up' ? { errno: 'ECONNRESET', text, error } : { text, error };
}

function engineMessage(json: unknown): string | undefined {
  return isRecord(json) && typeof json.message === 'string' ? json.message : undefined;
}

/** Dockerode puts `(HTTP code 409) conflict - ` before the engine's words; the phrase is dockerode's guess. */
function withoutPrefix(message: string): string {
  return message.replace(/^\(HTTP code \d+\) .*? - /, '').trim();
}
