import type { ManifestState } from '../../controller/store';
import type { Key } from '../../crds/meta';
import type { GitFacts } from '../../host/git';
import type { DirectoryState } from '../../host/inspect';
import type { Refusal } from '../../host/paths';

export interface ProjectDesired {
  readonly key: Key;
  readonly deleting: boolean;
  readonly manifest: ManifestState | undefined;
  readonly prune: boolean;
  /** Absolute, links not yet followed. */
  readonly path: string;
  /** Names of the sandboxes that mean it, sorted. */
  readonly usedBy: readonly string[];
  /** Names of the sandboxes that have it mounted now, sorted. */
  readonly mountedIn: readonly string[];
}

export interface ProjectObserved {
  readonly directory: DirectoryState;
  /** Why it must not be mounted, when it is there. */
  readonly refusal?: Refusal;
  readonly git?: GitFacts;
}
