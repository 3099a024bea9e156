import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock';
import { failure } from './errors';
import type { Status, WatchEvent } from './wire/types';

/** What a client may be behind before its watch is dropped: it lists again and is up to date with less. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** A dropped client gets this long to read what was sent, then the socket is destroyed. */
const DRAIN_MS = 10_000;

/** One watch: JSON lines on a response that stays open until either side ends it. */
export class WatchStream {
  readonly #raw: ServerResponse;
  readonly #clock: Clock;
  readonly #cleanups: (() => void)[] = [];
  #open = true;

  constructor(raw: ServerResponse, clock: Clock) {
    this.#raw = raw;
    this.#clock = clock;
    raw.on('close', () => {
      this.#finish();
    });
    // The peer may vanish between two writes; `close` follows, and that is all there is to do.
    raw.on('error', () => undefined);
    raw.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    raw.flushHeaders();
  }

  get open(): boolean {
    return this.#open;
  }

  /** Runs once, when the watch has ended for whatever reason; at once when it has already. */
  onEnd(cleanup: () => void): void {
    if (this.#open) this.#cleanups.push(cleanup);
    else cleanup();
  }

  send(event: WatchEvent): void {
    if (!this.#open) return;
    this.#raw.write(`${JSON.stringify(event)}\n`);
    if (this.#raw.writableLength > MAX_BACKLOG_BYTES) this.#drop();
  }

  fail(status: Status): void {
    this.send({ type: 'ERROR', object: status });
    this.end();
  }

  end(): void {
    if (!this.#open) return;
    this.#finish();
    this.#raw.end();
  }

  #drop(): void {
    const status = failure(410, 'Expired', 'the watch was dropped: the client is more than 1 MB behind');
    this.#finish();
    this.#raw.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    const forget = this.#clock.after(DRAIN_MS, () => this.#raw.destroy());
    this.#raw.on('close', forget);
  }

  #finish(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
