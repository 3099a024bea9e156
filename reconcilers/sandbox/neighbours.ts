import { dirname } from 'node:path';
import type { ObjectStore } from '../../controller/store';
import type { SandboxStatus } from '../../crds/sandbox';
import { identitiesUpward } from '../../host/inspect';
import { isBelow } from '../../host/paths';
import type { RecordedMount } from './observed';
import { readContainerRecord } from './records';

interface Conflict {
  readonly source: string;
  readonly why: string;
}

/** `identity`: which directory it is, whatever path leads there by now. */
interface Neighbour extends RecordedMount {
  readonly identity?: string | undefined;
}

/**
 * Why a container with these mounts can't be beside those that are there. Whoever writes in a directory can put a link in
 * the place of one below it, and an engine that restarts a container by itself follows that link without asking us. So
 * no source is ever below another container's writable one, whichever of the two was first, by path or by what is there.
 */
export function conflictWithNeighbours(
  mounts: readonly Neighbour[],
  { name, store }: { name: string; store: ObjectStore },
): Conflict | undefined {
  for (const { metadata, status } of store.list('Sandbox')) {
    if (metadata.name === name) continue;
    const record = readContainerRecord(store, metadata.uid);
    const theirs = record?.mounts ?? measured(status as Partial<SandboxStatus>);
    const known = theirs.map((mount) => ({ ...mount, identity: record?.sources?.[mount.source] }));
    const conflict = conflictBetween(mounts, known, metadata.name);
    if (conflict) return conflict;
  }
  return undefined;
}

function measured({ mounts = [] }: Partial<SandboxStatus> = {}): readonly RecordedMount[] {
  return mounts.filter(({ role }) => role === 'workspace');
}

function conflictBetween(
  mine: readonly Neighbour[],
  theirs: readonly Neighbour[],
  other: string,
): Conflict | undefined {
  for (const mount of mine) {
    const { source, readOnly } = mount;
    const above = theirs.find((their) => !their.readOnly && liesBelow(source, their));
    if (above) return { source, why: `it lies in ${above.source}, where sandbox ${other} may write` };
    const below = readOnly ? undefined : theirs.find((their) => liesBelow(their.source, mount));
    if (below) return { source, why: `it holds ${below.source}, which sandbox ${other} has mounted` };
  }
  return undefined;
}

function liesBelow(inner: string, { source, identity }: Neighbour): boolean {
  if (isBelow(inner, source)) return true;
  return identity !== undefined && identitiesUpward(dirname(inner)).includes(identity);
}
