import { age } from '../wire/duration';
import type { CoreEvent } from '../wire/types';
import type { Column } from './columns';

export const eventColumns: readonly Column<CoreEvent>[] = [
  { name: 'Last Seen', description: 'Time since it last happened.', cell: lastSeen },
  { name: 'Type', description: 'Normal, or Warning.', cell: (event) => event.type },
  { name: 'Reason', description: 'What happened, in one word.', cell: (event) => event.reason },
  { name: 'Object', description: 'What it happened to.', cell: regarding },
  { name: 'Message', description: 'What happened, in a sentence.', cell: (event) => event.message },
  { name: 'First Seen', description: 'Time since it first happened.', wide: true, cell: firstSeen },
  { name: 'Count', description: 'How often it has happened.', wide: true, cell: (event) => String(event.count) },
  { name: 'Name', description: 'Name of the event.', wide: true, cell: (event) => event.metadata.name },
];

function lastSeen(event: CoreEvent, now: number): string {
  return age(event.lastTimestamp, now);
}

function firstSeen(event: CoreEvent, now: number): string {
  return age(event.firstTimestamp, now);
}

function regarding({ involvedObject }: CoreEvent): string {
  return `${involvedObject.kind.toLowerCase()}/${involvedObject.name}`;
}
