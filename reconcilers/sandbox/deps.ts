import type { Clock } from '../../controller/clock';
import type { ObjectStore } from '../../controller/store';
import type { Tasks } from '../../controller/tasks';
import type { Key } from '../../crds/meta';
import type { Homes } from '../../host/homes';
import type { ProtectedPath } from '../../host/paths';
import type { EngineProvider } from '../../runtimes/provider';
import type { SandboxDesired } from './desired';

export interface SandboxDeps {
  readonly engines: EngineProvider;
  readonly store: ObjectStore;
  readonly tasks: Tasks;
  readonly homes: Homes;
  readonly clock: Clock;
  /** The person's home directory, for `~` in manifests. */
  readonly person: string;
  /** What no sandbox may be given, as it is now. */
  readonly protectedPaths: () => readonly ProtectedPath[];
  readonly user: { readonly uid: number; readonly gid: number };
  readonly newNonce: () => string;
  /** Asks for another pass, from a task. */
  readonly wake: (key: Key) => void;
}

/** The task that fetches the image for this engine. */
export function imageTask({ desired }: { desired: SandboxDesired }, endpoint: string): string {
  const { reference, archive } = desired.effective.image;
  const { origin } = desired.manifest ?? {};
  const from = archive === undefined ? '' : ` ${archive} ${origin?.type === 'File' ? origin.path : ''}`;
  return `image ${endpoint} ${reference}${from}`;
}
