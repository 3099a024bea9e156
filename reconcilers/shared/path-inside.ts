import { posix } from 'node:path';
import { contains } from '../../host/paths';
import type { Mount } from '../../runtimes/runtime';

/** Where a host path below a mounted one is in the container; undefined when no mount shows it. */
export function pathInside(path: string, mounts: readonly Pick<Mount, 'source' | 'target'>[]): string | undefined {
  const holding = mounts
    .filter(({ source }) => contains(source, path))
    .sort((a, b) => b.source.length - a.source.length);
  const nearest = holding[0];
  return nearest && posix.join(nearest.target, path.slice(nearest.source.length));
}
