import { createHash } from 'node:crypto';
import { API_VERSION, type Kind } from '../../crds/meta';
import { EVENT_NAMESPACE } from './wire/resources';
import type { CoreEvent } from './wire/types';

/** Something that happened to an object. Repeats are merged: `count` goes up and `lastTimestamp` moves. */
export interface EventRecord {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly regarding: { readonly kind: Kind; readonly name: string; readonly uid: string };
  /** RFC 3339. */
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

/** Fields left out match everything. */
export interface EventFilter {
  readonly kind?: Kind;
  readonly name?: string;
  readonly uid?: string;
}

/** Reading side of the recorder. */
export interface EventReader {
  /** Oldest `lastTimestamp` first. */
  list(filter: EventFilter): readonly EventRecord[];
  /** Called with the merged record each time something happens; the returned function unsubscribes. */
  subscribe(listener: (event: EventRecord) => void): () => void;
}

/** The core/v1 shape. The name is made of what repeats share, so a repeat is the same object with a higher version. */
export function toCoreEvent(record: EventRecord): CoreEvent {
  const { regarding } = record;
  const uid = identity(record);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${regarding.name}.${uid.slice(0, 16)}`,
      namespace: EVENT_NAMESPACE,
      uid,
      resourceVersion: eventVersion(record),
      creationTimestamp: record.firstTimestamp,
    },
    involvedObject: { apiVersion: API_VERSION, kind: regarding.kind, name: regarding.name, uid: regarding.uid },
    type: record.type,
    reason: record.reason,
    message: record.message,
    firstTimestamp: record.firstTimestamp,
    lastTimestamp: record.lastTimestamp,
    count: record.count,
    source: { component: 'controller' },
    reportingComponent: 'controller',
    reportingInstance: '',
  };
}

/** Events are not in the store and have no revision: the time of the last repeat in milliseconds orders them. */
export function eventVersion(record: EventRecord): string {
  return String(Date.parse(record.lastTimestamp) || 0);
}

function identity({ type, reason, message, regarding, firstTimestamp }: EventRecord): string {
  const shared = [regarding.kind, regarding.name, regarding.uid, type, reason, message, firstTimestamp];
  return createHash('sha256').update(JSON.stringify(shared)).digest('hex').slice(0, 32);
}
