import type { ObjectStore } from '../../controller/store';
import type { SandboxStatus } from '../../crds/sandbox';
import { isBelow } from '../../host/paths';
import type { RecordedMount } from './observed';
import { readContainerRecord } from './records';

interface Conflict {
  readonly source: string;
  readonly why: string;
}

/**
 * Why a container with these mounts can't be beside those that are there. Whoever writes in a directory can put a link in
 * the place of one below it, and an engine that restarts a container by itself follows that link without asking us. So
 * no source is ever below another container's writable one, whichever of the two was first.
 */
export function conflictWithNeighbours(
  mounts: readonly RecordedMount[],
  { name, store }: { name: string; store: ObjectStore },
): Conflict | undefined {
  for (const { metadata, status } of store.list('Sandbox')) {
    if (metadata.name === name) continue;
    const theirs = readContainerRecord(store, metadata.uid)?.mounts ?? measured(status as Partial<SandboxStatus>);
    const conflict = conflictBetween(mounts, theirs, metadata.name);
    if (conflict) return conflict;
  }
  return undefined;
}

function measured({ mounts = [] }: Partial<SandboxStatus> = {}): readonly RecordedMount[] {
  return mounts.filter(({ role }) => role === 'workspace');
}

function conflictBetween(
  mine: readonly RecordedMount[],
  theirs: readonly RecordedMount[],
  other: string,
): Conflict | undefined {
  for (const { source, readOnly } of mine) {
    const above = theirs.find((their) => !their.readOnly && isBelow(source, their.source));
    if (above) return { source, why: `it lies in ${above.source}, where sandbox ${other} may write` };
    const below = readOnly ? undefined : theirs.find((their) => isBelow(their.source, source));
    if (below) return { source, why: `it holds ${below.source}, which sandbox ${other} has mounted` };
  }
  return undefined;
}
