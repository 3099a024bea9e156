import type { Resource } from '../crds/meta';
import type { EventFilter, EventReader, EventRecord } from './api/events';
import { timestamp, type Clock } from './clock';
import type { Db } from './state/db';

export type NewEvent = Pick<EventRecord, 'type' | 'reason' | 'message'>;

/** More than a day's work leaves behind; the oldest go first. */
const MOST_EVENTS = 2_000;

/** As Kubernetes bounds the note of an event; conditions have the whole of it. */
const MOST_MESSAGE = 1_024;

/** Says what changed and to what, after it did; never what is about to happen. Kept in the state store. */
export class EventRecorder implements EventReader {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #listeners = new Set<(event: EventRecord) => void>();

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  record(object: Resource, { type, reason, message }: NewEvent): void {
    const event = { type, reason, message: cut(message) };
    const regarding = { kind: object.kind, name: object.metadata.name, uid: object.metadata.uid };
    const at = timestamp(this.#clock);
    const standing = this.#newest(regarding.uid);
    const repeats = standing && same(standing.event, event) ? standing : undefined;
    const next: EventRecord = repeats
      ? { ...repeats.event, lastTimestamp: at, count: repeats.event.count + 1 }
      : { ...event, regarding, firstTimestamp: at, lastTimestamp: at, count: 1 };
    this.#put(repeats?.id, next);
    for (const listener of this.#listeners) listener(next);
  }

  /** Oldest first. */
  list({ kind, name, uid }: EventFilter = {}): readonly EventRecord[] {
    const where = uid === undefined ? '' : 'WHERE uid = ?';
    const rows = this.#db
      .prepare<unknown[], { event: string }>(`SELECT event FROM events ${where} ORDER BY last_seen, id`)
      .all(...(uid === undefined ? [] : [uid]));
    const events = rows.map((row) => this.#parse(row.event));
    return events.filter(({ regarding }) => {
      return (kind ?? regarding.kind) === regarding.kind && (name ?? regarding.name) === regarding.name;
    });
  }

  subscribe(listener: (event: EventRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #newest(uid: string): { id: number; event: EventRecord } | undefined {
    const row = this.#db
      .prepare<[string], { id: number; event: string }>(
        'SELECT id, event FROM events WHERE uid = ? ORDER BY last_seen DESC, id DESC LIMIT 1',
      )
      .get(uid);
    return row && { id: row.id, event: this.#parse(row.event) };
  }

  #parse(text: string): EventRecord {
    return this.#db.parse(text, 'an event');
  }

  #put(id: number | undefined, event: EventRecord): void {
    this.#db.transaction(() => {
      this.#db
        .prepare('INSERT OR REPLACE INTO events (id, uid, event, last_seen) VALUES (?, ?, ?, ?)')
        .run(id ?? null, event.regarding.uid, JSON.stringify(event), event.lastTimestamp);
      this.#db.prepare('DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?').run(MOST_EVENTS);
    });
  }
}

function cut(message: string): string {
  return message.length > MOST_MESSAGE ? `${message.slice(0, MOST_MESSAGE - 1)}…` : message;
}

function same(a: NewEvent, b: NewEvent): boolean {
  return a.type === b.type && a.reason === b.reason && a.message === b.message;
}
