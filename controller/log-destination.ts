import { constants, openSync, writeSync } from 'node:fs';
import type { Clock } from './clock';

/** Writes some of the bytes, at least one, and says how many; throws when none can be written now. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** pino's `warn`. */
const WARN = 40;

/**
 * Where the log goes. A line that can't be written, since the disk is full, the reader slow or gone, is counted and
 * dropped: a log is never worth waiting for. How many were lost is told before the next that can be written.
 */
export class LogDestination {
  readonly #write: WriteBytes;
  readonly #clock: Clock;
  #lost = 0;
  /** The last line that was begun has no end. */
  #cut = false;

  constructor(write: WriteBytes, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  write(line: string): void {
    if (this.#lost > 0 && this.#put(this.#notice())) this.#lost = 0;
    if (this.#lost > 0 || !this.#put(line)) this.#lost += 1;
  }

  #notice(): string {
    const msg = this.#lost === 1 ? '1 line of the log was lost' : `${this.#lost} lines of the log were lost`;
    return `${JSON.stringify({ level: WARN, time: this.#clock.now(), lost: this.#lost, msg })}\n`;
  }

  /** Whether all of the text was written. */
  #put(text: string): boolean {
    let rest: Uint8Array = Buffer.from(this.#cut ? `\n${text}` : text);
    try {
      while (rest.length > 0) {
        rest = rest.subarray(this.#write(rest));
        this.#cut = rest.length > 0;
      }
      return true;
    } catch {
      return false;
    }
  }
}

/** Standard output opened anew without waiting for readers, which leaves it as it is for those who share it. */
export function writeToStdout(path = '/dev/stdout'): WriteBytes {
  const fd = openAnew(path);
  return (bytes) => writeSync(fd, bytes);
}

/** A socket can't be opened by a path: it is written to as it is. */
function openAnew(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 1;
  }
}
