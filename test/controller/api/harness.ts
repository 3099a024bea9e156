import type { FastifyInstance } from 'fastify';
import { createApi } from '../../../controller/api/server';
import type { EventFilter, EventReader, EventRecord } from '../../../controller/api/events';
import type { ControllerStatus } from '../../../controller/api/wire/types';
import { silentLog } from '../../../controller/log';
import { FakeClock } from '../../helpers/fake-clock';
import { MemoryStore } from '../../helpers/memory-store';

/** The time of day in all API tests. */
export const NOW = Date.parse('2026-01-01T00:05:03.000Z');

/** Events in memory; `add` is what a recorder would do. */
export class MemoryEvents implements EventReader {
  #events: EventRecord[] = [];
  readonly #listeners = new Set<(event: EventRecord) => void>();

  add(event: EventRecord): void {
    this.#events = [...this.#events.filter((other) => !same(other, event)), event];
    for (const listener of [...this.#listeners]) listener(event);
  }

  list({ kind, name, uid }: EventFilter): readonly EventRecord[] {
    return this.#events.filter(
      ({ regarding }) =>
        (kind ?? regarding.kind) === regarding.kind &&
        (name ?? regarding.name) === regarding.name &&
        (uid ?? regarding.uid) === regarding.uid,
    );
  }

  subscribe(listener: (event: EventRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  subscribers(): number {
    return this.#listeners.size;
  }
}

function same(a: EventRecord, b: EventRecord): boolean {
  return a.reason === b.reason && a.regarding.uid === b.regarding.uid && a.message === b.message;
}

export function event(overrides: Partial<EventRecord> = {}): EventRecord {
  return {
    type: 'Normal',
    reason: 'Created',
    message: 'Created the container.',
    regarding: { kind: 'Sandbox', name: 'main', uid: 'uid-1' },
    firstTimestamp: '2026-01-01T00:00:00.000Z',
    lastTimestamp: '2026-01-01T00:03:00.000Z',
    count: 1,
    ...overrides,
  };
}

export const STATUS: ControllerStatus = {
  pid: 4711,
  version: '0.1.0',
  ready: true,
  manifests: '/home/ann/.config/berth/manifests',
  data: '/home/ann/.local/share/berth',
  state: '/home/ann/.local/state/berth',
  socket: '/run/user/7/berth/controller.sock',
  startedAt: '2026-01-01T00:00:00.000Z',
  uptimeSeconds: 303,
};

export interface Harness {
  readonly app: FastifyInstance;
  readonly store: MemoryStore;
  readonly events: MemoryEvents;
  readonly clock: FakeClock;
}

export function createHarness(status: () => ControllerStatus = () => STATUS): Harness {
  const store = new MemoryStore();
  const events = new MemoryEvents();
  const clock = new FakeClock(NOW);
  const app = createApi({ store, events, clock, log: silentLog, version: '0.1.0', status });
  return { app, store, events, clock };
}
