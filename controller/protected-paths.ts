import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SYSTEM_PATHS, type ProtectedPath } from '../host/paths';
import type { Home } from './home';
import type { ScanOutcome } from './manifests/scanner';

export interface ProtectedPathsInput {
  readonly home: Home;
  /** Home directories of the person: the environment and the user database need not agree. */
  readonly homes: readonly string[];
  readonly engineSockets: readonly string[];
  /** The last scan of the manifests: they may lie anywhere that links lead to. */
  readonly scanned: ScanOutcome | undefined;
}

/** What no sandbox may be given: whoever writes there decides what is mounted next, or owns the machine. */
export function protectedPaths({ home, homes, engineSockets, scanned }: ProtectedPathsInput): readonly ProtectedPath[] {
  const engineStores = homes.flatMap((path) =>
    ['docker', 'containers'].map((name) => join(path, '.local/share', name)),
  );
  const manifests = [real(home.manifests), ...(scanned?.realPaths ?? [])];
  const state = [home.data, home.state, home.run].map(real);
  return [
    { what: 'Root', path: '/' },
    ...homes.map((path) => ({ what: 'Home' as const, path: real(path) })),
    ...manifests.map((path) => ({ what: 'Manifests' as const, path })),
    ...state.map((path) => ({ what: 'State' as const, path })),
    ...engineSockets.map((path) => ({ what: 'EngineSocket' as const, path: real(path) })),
    ...[...SYSTEM_PATHS, ...engineStores].map((path) => ({ what: 'System' as const, path: real(path) })),
  ];
}

/** Links followed as far as the path exists: what isn't there yet is judged by where it would be. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}
