import { initialTransition, transition } from 'xstate';
import { settingsPass } from '../../../reconcilers/settings/machine';
import type { SettingsDesired } from '../../../reconcilers/settings/types';
import { PROBE } from '../../helpers/fake-views';
import { decide } from '../machines';

function desired(engineNeeded: boolean): SettingsDesired {
  return {
    spec: { runtime: { kind: 'Docker' } } as SettingsDesired['spec'],
    manifest: undefined,
    problems: [],
    directory: { path: '/m', readable: true, files: 0, warnings: [] },
    engineNeeded,
  };
}

/** Where a pass goes when the engine could not be asked, and what it keeps of that. */
function withoutEngine(engineNeeded: boolean) {
  const [start] = initialTransition(settingsPass, { desired: desired(engineNeeded) });
  const error = new Error('no engine');
  const [next] = transition(settingsPass, start, { type: 'xstate.error.actor.0.settings.observing', error });
  return { ...next, error };
}

describe('a pass over the settings', () => {
  it('looks again after a while when the engine answers', () => {
    expect(decide(settingsPass, { desired: desired(true) }, PROBE)).toBe('waiting');
  });

  it('fails, and so is tried again sooner, when an engine is needed and does not answer', () => {
    const { value, context, error } = withoutEngine(true);
    expect(value).toBe('failed');
    expect(context.error).toBe(error);
  });

  it('only waits when none is needed', () => {
    const { value, context, error } = withoutEngine(false);
    expect(value).toBe('waiting');
    expect(context).toMatchObject({ error, waitMs: 60_000 });
  });
});
