import { resolveSandbox } from '../../../crds/effective';
import type { ManifestState } from '../../../controller/store';
import type { SandboxDesired } from '../../../reconcilers/sandbox/desired';
import { sandboxPass } from '../../../reconcilers/sandbox/machine';
import type { SandboxObserved } from '../../../reconcilers/sandbox/observed';
import { containerOf, desiredOf, NOW, observedOf, observedWith, specOf } from '../../helpers/fake-views';
import { decide, errorExits, reachable, statesOf } from '../machines';

const stopped = desiredOf({ effective: resolveSandbox({ projects: ['web'], state: 'Stopped' }) });
const edited = desiredOf({ effective: resolveSandbox({ projects: ['web'], keepRunning: true }) });
const blocked = desiredOf({ blocked: { reason: 'ReferenceNotFound', message: 'Project web does not exist' } });
const deleting = desiredOf({ deleting: true });
const restarting = desiredOf({ restartedAt: NOW - 1_000 });
const lost = (massLoss: boolean): Partial<SandboxDesired> => {
  const manifest = desiredOf().manifest as ManifestState;
  return { manifest: { ...manifest, missing: { since: '', massLoss } } };
};

const running = observedWith(containerOf());
const down = observedWith(containerOf(specOf(), { running: false }));
const noImage = { image: undefined } as unknown as Partial<SandboxObserved>;
const tried = (starts: number, agoMs: number) => ({ recovery: { starts, lastAt: NOW - agoMs, generation: 1 } });
const foreign = observedOf({ container: containerOf(), ownership: 'Foreign' });

/** The decision table, a row a guard and more: what is declared, what is there, what is done. */
const TABLE: readonly (readonly [string, SandboxDesired, SandboxObserved, string])[] = [
  ['deleted while it runs', deleting, running, 'stopping'],
  ['deleted while it is stopped', deleting, down, 'removing'],
  ['deleted with files and no container', deleting, observedOf({ hasFiles: true }), 'settingAside'],
  ['deleted with nothing left', deleting, observedOf(), 'gone'],
  ['deleted while another has its name', deleting, foreign, 'gone'],
  ['without a manifest, at rest', desiredOf(lost(false)), down, 'lettingGo'],
  ['without a manifest, never made', desiredOf(lost(false)), observedOf(), 'lettingGo'],
  ['without a manifest, running', desiredOf(lost(false)), running, 'settled'],
  ['without a manifest, running, to be pruned', desiredOf({ ...lost(false), prune: true }), running, 'lettingGo'],
  ['lost with many, at rest', desiredOf({ ...lost(true), ...{ effective: stopped.effective } }), down, 'settled'],
  ['lost with many, to be pruned', desiredOf({ ...lost(true), prune: true }), running, 'settled'],
  ['in the way of another', desiredOf(), foreign, 'waiting'],
  ['in the way of another, restarted', restarting, foreign, 'waiting'],
  ['declared stopped while it runs', stopped, running, 'stopping'],
  ['declared stopped at rest', stopped, down, 'settled'],
  ['declared stopped and never made', stopped, observedOf(), 'settled'],
  ['blocked while it runs', blocked, running, 'settled'],
  ['blocked while it runs, restarted', { ...blocked, restartedAt: NOW }, running, 'settled'],
  ['blocked and never made', blocked, observedOf(), 'settled'],
  ['without its image', desiredOf(), observedOf(noImage), 'gettingImage'],
  ['without its image while it runs', desiredOf(), { ...running, ...noImage }, 'settled'],
  ['restarted without its image', restarting, { ...running, ...noImage }, 'gettingImage'],
  ['with an image to be fetched anew', desiredOf(), observedOf({ imageIsFresh: false }), 'gettingImage'],
  ['running with an image to be fetched anew', desiredOf(), { ...running, imageIsFresh: false }, 'settled'],
  ['restarted', restarting, running, 'stopping'],
  ['restarted before it was started last', restarting, { ...running, servedAt: NOW }, 'settled'],
  ['edited while it runs', edited, running, 'settled'],
  ['edited and restarted', { ...edited, restartedAt: NOW }, running, 'stopping'],
  ['edited at rest', edited, down, 'removing'],
  ['on another engine while it runs', desiredOf(), { ...running, moved: true }, 'settled'],
  ['on another engine at rest', desiredOf(), { ...down, moved: true }, 'starting'],
  ['on another engine at rest, restarted', restarting, { ...down, moved: true }, 'removing'],
  ['renamed', desiredOf(), { ...running, nameHeld: true }, 'settled'],
  ['renamed and edited, restarted', { ...edited, restartedAt: NOW }, { ...running, nameHeld: true }, 'waiting'],
  ['renamed and edited, at rest', edited, { ...down, nameHeld: true }, 'waiting'],
  ['renamed, at rest', desiredOf(), { ...down, nameHeld: true }, 'starting'],
  ['renamed and deleted', deleting, { ...down, nameHeld: true }, 'removing'],
  ['declared', desiredOf(), observedOf(), 'creating'],
  ['made', desiredOf(), down, 'starting'],
  ['stopped from outside for the first time', desiredOf(), { ...down, ...tried(1, 1) }, 'starting'],
  ['stopped for the second time', desiredOf(), { ...down, ...tried(2, 4_999) }, 'waiting'],
  ['stopped for the second time, five seconds later', desiredOf(), { ...down, ...tried(2, 5_000) }, 'starting'],
  ['stopped for the third time', desiredOf(), { ...down, ...tried(3, 14_999) }, 'waiting'],
  ['stopped for the third time, 15 seconds later', desiredOf(), { ...down, ...tried(3, 15_000) }, 'starting'],
  ['stopped for the fourth time', desiredOf(), { ...down, ...tried(4, 86_400_000) }, 'waiting'],
  ['stopped for the fourth time, restarted', restarting, { ...down, ...tried(4, 86_400_000) }, 'starting'],
  ['running again since a moment', desiredOf(), { ...running, ...tried(2, 59_999) }, 'waiting'],
  ['running', desiredOf(), running, 'settled'],
];

describe('a pass over a sandbox', () => {
  it.each(TABLE)('that is %s', (...row) => {
    const [, desired, observed, next] = row;
    expect(decide(sandboxPass, { desired }, observed)).toBe(next);
  });

  it('leaves every effect through failed when it fails', () => {
    expect(errorExits(sandboxPass)).toEqual({
      observing: 'failed',
      gettingImage: 'failed',
      creating: 'failed',
      starting: 'failed',
      stopping: 'failed',
      removing: 'failed',
      settingAside: 'failed',
      lettingGo: 'failed',
    });
  });

  it('can come to every state', () => {
    const inputs = TABLE.map(([, desired]) => ({ desired }));
    const found = reachable(
      sandboxPass,
      inputs,
      TABLE.map(([, , observed]) => observed),
    );
    expect(found).toEqual(statesOf(sandboxPass));
  });
});
