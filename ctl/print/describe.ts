import type { Condition } from '../../crds/conditions';
import type { Resource } from '../../crds/meta';
import type { DriftStatus, SandboxStatus } from '../../crds/sandbox';
import { age } from '../../controller/api/wire/duration';
import { printable } from '../../controller/api/wire/printable';
import { resourceOf } from '../../controller/api/wire/resources';
import type { CoreEvent } from '../../controller/api/wire/types';
import { layOut } from './columns';
import { tree } from './tree';

type KnownStatus = Partial<Pick<SandboxStatus, 'conditions' | 'drift'>>;

/** Everything about one object, for people. `now` in milliseconds since the epoch. */
export function describe(object: Resource, events: readonly CoreEvent[], now: number): string {
  const { conditions = [], drift = [], ...status } = (object.status ?? {}) as KnownStatus;
  return [
    heading(object, now),
    tree({ spec: object.spec, status }),
    conditionTable(conditions),
    outOfDate(object, conditions, drift),
    eventTable(events, now),
  ].join('');
}

function heading({ apiVersion, kind, metadata }: Resource, now: number): string {
  const rows = [
    ['Name:', metadata.name],
    ...pairs('Labels:', metadata.labels, '='),
    ...pairs('Annotations:', metadata.annotations, ': '),
    ['API Version:', apiVersion],
    ['Kind:', kind],
    ['UID:', metadata.uid],
    ['Generation:', String(metadata.generation)],
    ['Created:', `${metadata.creationTimestamp} (${age(metadata.creationTimestamp, now)} ago)`],
    ...(metadata.deletionTimestamp === undefined
      ? []
      : [['Deleting since:', `${metadata.deletionTimestamp} (${age(metadata.deletionTimestamp, now)} ago)`]]),
    ...(metadata.ownerReferences ?? []).map((owner) => ['Controlled By:', `${owner.kind}/${owner.name}`]),
  ];
  return layOut(rows);
}

function pairs(label: string, map: Readonly<Record<string, string>> | undefined, joint: string): string[][] {
  const entries = Object.entries(map ?? {}).map(([key, value]) => `${key}${joint}${value}`);
  if (entries.length === 0) return [[label, '<none>']];
  return entries.sort().map((text, index) => [index === 0 ? label : '', text]);
}

function conditionTable(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return 'Conditions:  <none>\n';
  const rows = conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);
  return `Conditions:\n${indented(layOut(withRule(['Type', 'Status', 'Reason', 'Message'], rows)))}`;
}

/** What runs otherwise than declared, and the command that applies the declaration. Absent when they agree. */
function outOfDate(object: Resource, conditions: readonly Condition[], drift: readonly DriftStatus[]): string {
  const condition = conditions.find(({ type }) => type === 'UpToDate');
  if (condition?.status !== 'False') return '';
  const rows = drift.map(({ part, running, declared }) => [part, running, declared]);
  const differences =
    rows.length > 0 ? layOut(withRule(['Part', 'Running', 'Declared'], rows)) : `${printable(condition.message)}\n`;
  return `Out of date:\n${indented(`${differences}Applied by:  ${appliedBy(object)}\n`)}`;
}

/** What is declared stopped is not restarted: it takes up its declaration when it is started. */
function appliedBy({ kind, metadata, spec }: Resource): string {
  if ((spec as { state?: unknown }).state === 'Stopped') return 'its next start; it is declared stopped';
  return `ctl restart ${resourceOf(kind).singular} ${printable(metadata.name)}`;
}

function eventTable(events: readonly CoreEvent[], now: number): string {
  if (events.length === 0) return 'Events:  <none>\n';
  const rows = events.map((event) => [
    event.type,
    event.reason,
    seen(event, now),
    event.source.component,
    event.message,
  ]);
  return `Events:\n${indented(layOut(withRule(['Type', 'Reason', 'Age', 'From', 'Message'], rows)))}`;
}

/** `2m5s (x4 over 9m)`. */
function seen({ count, firstTimestamp, lastTimestamp }: CoreEvent, now: number): string {
  const last = age(lastTimestamp, now);
  return count > 1 ? `${last} (x${count} over ${age(firstTimestamp, now)})` : last;
}

function withRule(header: readonly string[], rows: readonly (readonly string[])[]): (readonly string[])[] {
  return [header, header.map((title) => '-'.repeat(title.length)), ...rows];
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
