import { initialTransition, transition, type AnyEventObject, type AnyStateMachine } from 'xstate';
import { getShortestPaths } from 'xstate/graph';

/** Where a pass goes from what it observed: one synthetic answer of `observe`, and nothing is run. */
export function decide(machine: AnyStateMachine, input: unknown, observed: unknown): string {
  const [start] = initialTransition(machine, input);
  const [next] = transition(machine, start, {
    type: 'xstate.done.actor.0.' + machine.id + '.observing',
    output: observed,
  });
  return String(next.value);
}

interface Config {
  readonly type?: string;
  readonly invoke?: { readonly onDone?: unknown; readonly onError?: { readonly target: string } | string };
}

/** States that wait for an effect, with where an error of it leads. */
export function errorExits(machine: AnyStateMachine): Record<string, string> {
  const states = (machine.config.states ?? {}) as Record<string, Config>;
  return Object.fromEntries(
    Object.entries(states).flatMap(([name, { invoke }]) => {
      if (!invoke) return [];
      const { onError } = invoke;
      return [[name, typeof onError === 'string' ? onError : (onError?.target ?? 'nowhere')]];
    }),
  );
}

/** Without those that are left at once, which nothing ever rests in. */
export function statesOf(machine: AnyStateMachine): string[] {
  const states = Object.entries(machine.config.states ?? {});
  return states.flatMap(([name, state]) => ('always' in state ? [] : [name])).sort();
}

/** Every state that some answers of the effects lead to. `observations` are the answers of `observe`. */
export function reachable(
  machine: AnyStateMachine,
  inputs: readonly unknown[],
  observations: readonly unknown[],
): string[] {
  const working = Object.keys(errorExits(machine));
  const id = (state: string): string => `0.${machine.id}.${state}`;
  const events = working.flatMap((state) => [
    ...(state === 'observing' ? observations : [undefined, 'Pending']).map((output) => ({
      type: `xstate.done.actor.${id(state)}`,
      output,
    })),
    { type: `xstate.error.actor.${id(state)}`, error: new Error('failed') },
  ]);
  const found = inputs.flatMap((input) =>
    getShortestPaths(machine, {
      input,
      events,
      serializeState: ({ value }: { value: unknown }) => JSON.stringify(value),
      serializeEvent: (event: AnyEventObject) => `${event.type} ${events.findIndex((known) => known === event)}`,
    } as Parameters<typeof getShortestPaths>[1]),
  );
  const states = found.flatMap(({ steps, state }) => [state, ...steps.map((step) => step.state)]);
  return [...new Set(states.map(({ value }) => String(value)))].sort();
}
