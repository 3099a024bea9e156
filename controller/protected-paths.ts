import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { identitiesUpward } from '../host/inspect';
import { SYSTEM_PATHS, type ProtectedPath } from '../host/paths';
import type { Clock } from './clock';
import type { Home } from './home';

/** How long links on the way to what is always protected are taken to lead where they did, in milliseconds. */
const RELOOK_MS = 2_000;

export interface ProtectedPathsInput {
  /** Of this controller, and of others of the same person, which work by the same rules. */
  readonly berths: readonly Home[];
  /** Home directories of the person: the environment and the user database need not agree. */
  readonly homes: readonly string[];
  /** Wherever an engine may answer, and where the settings say that one does. */
  readonly engineSockets: () => readonly string[];
  /** Real paths of what is declared, and of links that lead there. */
  readonly manifestPlaces: () => readonly string[];
  readonly clock: Clock;
}

/** What no sandbox may be given: whoever writes there decides what is mounted next, or owns the machine. */
export function protectedPaths(input: ProtectedPathsInput): () => readonly ProtectedPath[] {
  let fixed: readonly ProtectedPath[] = [];
  const sockets = new Set<string>();
  let looked = { at: -Infinity, sockets: 0 };
  return () => {
    const at = input.clock.now();
    // One that the settings named goes on answering when they name another.
    for (const socket of input.engineSockets()) sockets.add(socket);
    if (at - looked.at >= RELOOK_MS || sockets.size !== looked.sockets) {
      fixed = fixedPaths(input, [...sockets]).map((place) => ({ ...place, identities: identitiesUpward(place.path) }));
      looked = { at, sockets: sockets.size };
    }
    return [...fixed, ...input.manifestPlaces().map((path) => ({ what: 'Manifests' as const, path }))];
  };
}

function fixedPaths({ berths, homes }: ProtectedPathsInput, sockets: readonly string[]): readonly ProtectedPath[] {
  const engineStores = homes.flatMap((path) =>
    ['docker', 'containers'].map((name) => join(path, '.local/share', name)),
  );
  return [
    { what: 'Root', path: '/' },
    ...homes.map((path) => ({ what: 'Home' as const, path: real(path) })),
    ...berths.map(({ manifests }) => ({ what: 'Manifests' as const, path: real(manifests) })),
    ...berths.flatMap(({ data, state, run }) =>
      [data, state, run].map((path) => ({ what: 'State' as const, path: real(path) })),
    ),
    ...sockets.map((path) => ({ what: 'EngineSocket' as const, path: real(path) })),
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
