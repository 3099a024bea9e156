import type { ManifestState } from '../../controller/store';

/**
 * Whether an object that no file declares any more is let go by itself. One that is in use is held, and so is one that
 * went together with so many others that it is taken for an accident.
 */
export function isLetGo(manifest: ManifestState | undefined, inUse: boolean): boolean {
  const { missing } = manifest ?? {};
  return missing !== undefined && !missing.massLoss && !inUse;
}
