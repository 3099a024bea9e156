import { join, normalize, resolve } from 'node:path';

/** What a path that no sandbox may have is needed for. */
export type Protection = 'Root' | 'Home' | 'Manifests' | 'State' | 'EngineSocket' | 'System' | 'Link';

export interface ProtectedPath {
  readonly what: Protection;
  /** Absolute, with every link followed. */
  readonly path: string;
  /** Which directories it and those above it are: they have other paths as well, where something is mounted twice. */
  readonly identities?: readonly string[];
}

/** Why a directory can't be given to a sandbox. */
export interface Refusal {
  readonly what: Protection;
  /**
   * `Is`: the very path; `Holds`: it lies inside the directory; `HeldBy`: the directory lies inside it; `LedBy`: a link
   * on the way to the directory.
   */
  readonly relation: 'Is' | 'Holds' | 'HeldBy' | 'LedBy';
  readonly path: string;
}

/** Below these a session must not write either: what is declared and decided next is read from there, or all runs on it. */
const CLOSED_BELOW: ReadonlySet<Protection> = new Set(['Manifests', 'State', 'System']);

/** What the machine itself and its engines live on. */
export const SYSTEM_PATHS = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var/lib/containerd',
  '/var/lib/containers',
  '/var/lib/docker',
] as const;

/**
 * True when `inner` is `outer` or lies below it; whole components, so `/w/app2` isn't below `/w/app`. Both are absolute
 * and normal (no `.`, `..`, or slash at the end).
 */
export function contains(outer: string, inner: string): boolean {
  if (!inner.startsWith(outer)) return false;
  return inner.length === outer.length || outer === '/' || inner[outer.length] === '/';
}

/** True when `inner` lies strictly below `outer`, both absolute and normal. */
export function isBelow(inner: string, outer: string): boolean {
  return inner !== outer && contains(outer, inner);
}

/**
 * The first reason why the directory at `real` (all links followed), of this identity, must not be mounted; undefined
 * when it may.
 */
export function refusalOf(
  real: string,
  protectedPaths: readonly ProtectedPath[],
  identity?: string,
): Refusal | undefined {
  for (const { what, path, identities = [] } of protectedPaths) {
    if (real === path) return { what, relation: 'Is', path };
    if (contains(real, path) || (identity !== undefined && identities.includes(identity)))
      return { what, relation: 'Holds', path };
    if (CLOSED_BELOW.has(what) && contains(path, real)) return { what, relation: 'HeldBy', path };
  }
  return undefined;
}

/** `~` and `~/…` are the person's home; a relative path starts where the manifest lies. */
export function expandPath(path: string, { home, base }: { home: string; base: string }): string {
  if (path === '~') return normalize(home);
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return resolve(base, path);
}

/** Of several directories, those that lie in no other of them: mounting these shows all. Sorted, each once. */
export function outermost(paths: readonly string[]): readonly string[] {
  const unique = [...new Set(paths)].sort();
  return unique.filter((path) => !unique.some((other) => other !== path && contains(other, path)));
}
