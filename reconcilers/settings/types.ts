import type { ManifestState } from '../../controller/store';
import type { ManifestProblem } from '../../crds/problems';
import type { SettingsSpec } from '../../crds/settings';

/** The manifest directory as the last scan found it. */
export interface ManifestDirectory {
  readonly path: string;
  readonly readable: boolean;
  readonly files: number;
  /** What was left aside without being a problem. */
  readonly warnings: readonly string[];
}

export interface SettingsDesired {
  readonly spec: SettingsSpec;
  readonly manifest: ManifestState | undefined;
  readonly problems: readonly ManifestProblem[];
  readonly directory: ManifestDirectory;
  /** Something is declared that a container runtime is needed for. */
  readonly engineNeeded: boolean;
}
