import type { AnyStateMachine } from 'xstate';
import { findCondition, type Condition, type ConditionTable } from '../crds/conditions';
import { formatKey, type Key, type Kind, type Resource } from '../crds/meta';
import { timestamp } from './clock';
import type { NewEvent } from './events';
import { resultOf, runPass, type Ending } from './pass';
import type { Pass, Reconciler, Result } from './reconcile';
import { conditionsOf, writeStatus, type StatusDraft } from './status';
import type { ObjectStore } from './store';

/** The context that every pass machine has. `observed` is null when observing itself failed. */
export interface PassContext<Desired, Observed> {
  readonly desired: Desired;
  readonly observed: Observed | null;
  readonly error: unknown;
  /** For the final state `waiting`. */
  readonly waitMs?: number;
}

/** What a pass found out and did, for computing status: never a decision of the past. */
export interface PassReport<Desired, Observed> {
  readonly object: Resource;
  readonly desired: Desired;
  readonly observed: Observed | null;
  readonly ending: Ending;
  /** The effect that ran, by the name of its state; undefined when there was none. */
  readonly effect: string | undefined;
  readonly error: unknown;
  /** When the pass ended, RFC 3339: for a `since` that is kept as long as what it is of. */
  readonly at: string;
}

export type { StatusDraft };

export interface KindParts<Desired, Observed, Table extends ConditionTable> {
  readonly kind: Kind;
  readonly desired: (object: Resource) => Desired;
  /** With its actors provided. */
  readonly machine: AnyStateMachine;
  readonly status: (report: PassReport<Desired, Observed>) => StatusDraft<Table>;
  /** Whether the end of this pass lets go of the object: its finalizer is dropped. */
  readonly finalizer?: string;
}

export interface KindDeps {
  readonly store: ObjectStore;
  readonly events: { record(object: Resource, event: NewEvent): void };
}

/** The states that are no effects: the ends, and the two that every pass goes through. */
const NOT_EFFECTS = new Set(['observing', 'deciding', 'acted', 'waiting', 'settled', 'gone', 'failed']);

/** Makes a kind's four parts a reconciler: one pass of its machine, then its status, written once. */
export function passReconciler<Desired, Observed, Table extends ConditionTable>(
  parts: KindParts<Desired, Observed, Table>,
  deps: KindDeps,
): Reconciler {
  return {
    reconcile: async (key, pass) => {
      const object = deps.store.get(key);
      return object ? reconcileObject(object, { parts, deps, pass, key }) : {};
    },
  };
}

interface Run<Desired, Observed, Table extends ConditionTable> {
  readonly parts: KindParts<Desired, Observed, Table>;
  readonly deps: KindDeps;
  readonly pass: Pass;
  readonly key: Key;
}

async function reconcileObject<Desired, Observed, Table extends ConditionTable>(
  object: Resource,
  { parts, deps, pass, key }: Run<Desired, Observed, Table>,
): Promise<Result> {
  const { store } = deps;
  if (parts.finalizer && !object.metadata.deletionTimestamp) store.addFinalizer(key, parts.finalizer);
  const desired = parts.desired(object);
  const machine: AnyStateMachine = parts.machine;
  const end = await runPass({ machine, input: { desired }, signal: pass.signal, log: pass.log, key: formatKey(key) });
  const context = end.context as PassContext<Desired, Observed>;
  const effect = end.steps.find((step) => !NOT_EFFECTS.has(step));
  const report = {
    object,
    desired,
    observed: context.observed,
    ending: end.ending,
    effect,
    error: context.error,
    at: timestamp(pass.clock),
  };
  if (store.get(key)?.metadata.uid === object.metadata.uid) {
    writeStatus(key, parts.status(report), { store, clock: pass.clock, generation: object.metadata.generation });
    recordTransitions(object, deps);
    if (end.ending === 'gone' && parts.finalizer) store.removeFinalizer(key, parts.finalizer);
  }
  return resultOf({ ending: end.ending, context });
}

/** The conditions whose every change of reason is worth telling. */
const TOLD = ['Ready', 'UpToDate', 'Accepted'];

function recordTransitions(before: Resource, { store, events }: KindDeps): void {
  const after = store.get({ kind: before.kind, name: before.metadata.name });
  if (!after) return;
  const old = conditionsOf(before);
  for (const condition of conditionsOf(after).filter(({ type }) => TOLD.includes(type))) {
    const standing = findCondition(old, condition.type);
    if (standing?.reason === condition.reason && standing.status === condition.status) continue;
    if (!standing && condition.type !== 'Ready') continue;
    events.record(after, eventOf(condition));
  }
}

/** Reasons of a `Ready` that is not yet, or no longer, True without anything being wrong. */
const CALM: ReadonlySet<string> = new Set([
  'CheckingRuntime',
  'Creating',
  'Exited',
  'GettingImage',
  'NotObserved',
  'Progressing',
  'SandboxNotReady',
  'Starting',
  'Stopped',
  'Stopping',
  'Terminating',
]);

function eventOf({ status, reason, message }: Condition): NewEvent {
  return { type: status === 'False' && !CALM.has(reason) ? 'Warning' : 'Normal', reason, message };
}
