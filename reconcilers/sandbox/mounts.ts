import { contains } from '../../host/paths';
import type { Mount } from '../../runtimes/runtime';
import type { WritablePlace } from '../shared/writable';

/** A project as a sandbox may have it: usable, its path free of links. */
export interface ProjectMount {
  readonly name: string;
  readonly path: string;
  readonly readOnly: boolean;
}

export type MountPlan =
  { readonly mounts: readonly Mount[]; readonly conflict?: undefined } | { readonly conflict: string };

/** Where the sandbox's own home is in the container; the person's home is never there. */
export const HOME_TARGET = '/home/berth';

type PlaceAbove = (path: string) => WritablePlace | undefined;

/**
 * The workspace mounts of a sandbox, sorted by target. A project inside another writable one is seen through that one:
 * a bind whose source lies below a writable mount could be swapped from inside. What can't be had that way is a conflict,
 * and so is a project below a place that other sandboxes write, which `writableAbove` knows.
 */
export function planMounts(
  projects: readonly ProjectMount[],
  mountPath: string,
  writableAbove: PlaceAbove = () => undefined,
): MountPlan {
  const shown = projects.filter((project) => !writableOuter(project, projects));
  const conflict =
    narrowed(projects) ?? exposed(shown, writableAbove) ?? samePlace(shown, mountPath) ?? reserved(shown, mountPath);
  if (conflict !== undefined) return { conflict };
  const mounts = shown.map(({ path, readOnly }): Mount => {
    return { role: 'workspace', type: 'bind', source: path, target: targetOf(path, mountPath), readOnly };
  });
  return { mounts: mounts.sort((a, b) => (a.target < b.target ? -1 : 1)) };
}

function targetOf(path: string, mountPath: string): string {
  return mountPath === 'SamePath' ? path : mountPath;
}

function writableOuter(inner: ProjectMount, projects: readonly ProjectMount[]): ProjectMount | undefined {
  return projects.find(({ path, readOnly }) => !readOnly && path !== inner.path && contains(path, inner.path));
}

/** Read-only inside writable can't be had: the outer mount would let it be written. */
function narrowed(projects: readonly ProjectMount[]): string | undefined {
  for (const inner of projects) {
    const outer = inner.readOnly ? writableOuter(inner, projects) : undefined;
    if (outer) return `project ${inner.name} is read-only but lies in project ${outer.name}, which is writable`;
  }
  return undefined;
}

/** A source below a directory that others write could be put out of the way for a link at any moment. */
function exposed(projects: readonly ProjectMount[], writableAbove: PlaceAbove): string | undefined {
  for (const { name, path } of projects) {
    const place = writableAbove(path);
    if (place) {
      return `project ${name} lies in ${place.path} (${place.what}), which sessions may write: mount that, or make it read-only`;
    }
  }
  return undefined;
}

function samePlace(projects: readonly ProjectMount[], mountPath: string): string | undefined {
  const first = new Map<string, string>();
  for (const { name, path } of projects) {
    const target = targetOf(path, mountPath);
    const other = first.get(target);
    if (other !== undefined) return `projects ${other} and ${name} would both be mounted at ${target}`;
    first.set(target, name);
  }
  return undefined;
}

/** Covering these would hide what makes the container a sandbox, or be hidden by it. */
const RESERVED = [HOME_TARGET, '/proc', '/sys', '/dev', '/run', '/etc', '/usr', '/bin', '/sbin', '/lib', '/lib64'];

function reserved(projects: readonly ProjectMount[], mountPath: string): string | undefined {
  for (const { name, path } of projects) {
    const target = targetOf(path, mountPath);
    const taken = RESERVED.find((place) => contains(place, target) || contains(target, place));
    if (taken !== undefined)
      return `project ${name} would be mounted at ${target}, where the sandbox has its own ${taken}`;
  }
  return undefined;
}
