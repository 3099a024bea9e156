import { fromPromise } from 'xstate';
import { passReconciler, type KindDeps } from '../../controller/pass-reconciler';
import type { KeyMapper, Reconciler } from '../../controller/reconcile';
import type { Resource } from '../../crds/meta';
import { findCondition } from '../../crds/conditions';
import { SETTINGS_NAME, type SettingsSpec, type SettingsStatus } from '../../crds/settings';
import type { EngineProvider } from '../../runtimes/provider';
import type { EngineProbe } from '../../runtimes/runtime';
import { settingsPass } from './machine';
import { settingsStatus } from './status';
import type { ManifestDirectory, SettingsDesired } from './types';

export interface SettingsDeps {
  readonly engines: EngineProvider;
  readonly manifests: () => ManifestDirectory;
}

/** Asks the engine itself each time: what was kept of an earlier answer says nothing about now. */
export function settingsReconciler(deps: SettingsDeps & KindDeps): Reconciler {
  const machine = settingsPass.provide({
    actors: {
      observe: fromPromise<EngineProbe, SettingsDesired>(async ({ input, signal }) => {
        return (await deps.engines.connect(input.spec.runtime, { signal, fresh: true })).probe;
      }),
    },
  });
  const desired = (object: Resource): SettingsDesired => ({
    spec: object.spec as SettingsSpec,
    manifest: deps.store.manifest({ kind: 'Settings', name: object.metadata.name }),
    problems: deps.store.problems(),
    directory: deps.manifests(),
    engineNeeded: deps.store.list('Sandbox').length > 0 || (object.spec as SettingsSpec).placement === 'Sandbox',
  });
  return passReconciler({ kind: 'Settings', desired, machine, status: settingsStatus }, deps);
}

/** A first sandbox makes an engine needed that was not. An engine that is known to answer is not asked for each. */
export const settingsWatches: KeyMapper = ({ kind }, store) => {
  const key = { kind: 'Settings', name: SETTINGS_NAME } as const;
  const status = store.get(key)?.status as SettingsStatus | undefined;
  const unneeded = findCondition(status?.conditions, 'Ready')?.reason === 'Disabled';
  return kind === 'Sandbox' && unneeded ? [key] : [];
};
