import type { StoreReader } from '../../controller/store';
import type { ProjectSpec, ProjectStatus } from '../../crds/project';
import type { SandboxStatus } from '../../crds/sandbox';

/** A directory in which sessions can put links and other directories in place of what is there. */
export interface WritablePlace {
  /** Absolute and free of links. */
  readonly path: string;
  /** For people: whose it is. */
  readonly what: string;
}

/**
 * Where sessions may write, now or at the next start of any sandbox: every project that is not read-only, and what
 * containers have mounted however it is declared by now; those of the sandbox that is asked for are left out.
 */
export function writablePlaces(store: StoreReader, exceptSandbox?: string): readonly WritablePlace[] {
  const declared = store.list('Project').flatMap(({ metadata, spec, status }) => {
    const { path } = (status ?? {}) as Partial<ProjectStatus>;
    if (path === undefined || (spec as ProjectSpec).access === 'ReadOnly') return [];
    return [{ path, what: `project ${metadata.name}` }];
  });
  return [...declared, ...mountedPlaces(store, exceptSandbox)];
}

/** Where sessions may write now: what containers have mounted, whatever is declared by now. */
export function mountedPlaces(store: StoreReader, exceptSandbox?: string): readonly WritablePlace[] {
  return store.list('Sandbox').flatMap(({ metadata, status }) => {
    const { mounts = [] } = (status ?? {}) as Partial<SandboxStatus>;
    if (metadata.name === exceptSandbox) return [];
    return mounts
      .filter(({ role, readOnly }) => role === 'workspace' && !readOnly)
      .map(({ source }) => ({ path: source, what: `a mount of sandbox ${metadata.name}` }));
  });
}

/** For people: how a manifest at these real paths could be written by a session. */
export function exposureOf(paths: readonly string[], mounted: readonly WritablePlace[]): string | undefined {
  for (const path of paths) {
    const place = placeAbove(path, mounted);
    if (place)
      return `${path} lies in ${place.path}, ${place.what}: it counts for nothing while sessions may write there`;
  }
  return undefined;
}

/** The first of them that `path` lies strictly below; both are absolute and free of links. */
export function placeAbove(path: string, places: readonly WritablePlace[]): WritablePlace | undefined {
  return places.find((place) => path.startsWith(`${place.path}/`));
}
