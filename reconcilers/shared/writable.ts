import { dirname } from 'node:path';
import { identitiesUpward } from '../../host/inspect';
import { contains, isBelow } from '../../host/paths';
import type { StoreReader, StoreWriter } from '../../controller/store';
import type { Resource } from '../../crds/meta';
import type { ProjectSpec, ProjectStatus } from '../../crds/project';
import type { SandboxStatus } from '../../crds/sandbox';

/** A directory in which sessions can put links and other directories in place of what is there. */
export interface WritablePlace {
  /** Absolute and free of links. */
  readonly path: string;
  /** For people: whose it is. */
  readonly what: string;
  /** Set when a container has it now. */
  readonly sandbox?: string;
}

/**
 * Where sessions may write, now or at the next start of any sandbox: every project that is not read-only, and what
 * containers have mounted however it is declared by now.
 */
function writablePlaces(store: StoreReader): readonly WritablePlace[] {
  return [...placesOf(store.list('Project'), ofProject), ...mountedPlaces(store)];
}

/** The place that `path` lies strictly below, of those that sessions of other sandboxes than this one may write. */
export function writableAbove(path: string, store: StoreReader, sandbox: string): WritablePlace | undefined {
  const declared = placeAbove(path, placesOf(store.list('Project'), ofProject));
  return declared ?? mountedAbove(path, store, sandbox);
}

/** The same of what containers have mounted now. */
export function mountedAbove(path: string, store: StoreReader, sandbox: string): WritablePlace | undefined {
  for (const [place, mounted] of byPath(mountedPlaces(store))) {
    const other = isBelow(path, place) ? mounted.find((each) => each.sandbox !== sandbox) : undefined;
    if (other) return other;
  }
  return undefined;
}

/** Many sandboxes have one project: each path is compared once. */
function byPath(places: readonly WritablePlace[]): ReadonlyMap<string, readonly WritablePlace[]> {
  const known = groups.get(places);
  if (known) return known;
  const grouped = new Map<string, WritablePlace[]>();
  for (const place of places) {
    const same = grouped.get(place.path);
    if (same) same.push(place);
    else grouped.set(place.path, [place]);
  }
  groups.set(places, grouped);
  return grouped;
}

const groups = new WeakMap<readonly WritablePlace[], ReadonlyMap<string, readonly WritablePlace[]>>();

/** Where sessions may write now: what containers have mounted, whatever is declared by now. */
export function mountedPlaces(store: StoreReader): readonly WritablePlace[] {
  return placesOf(store.list('Sandbox'), ofSandbox);
}

/** A list of the store is another one after each change, so what follows from one is worked out once. */
const known = new WeakMap<readonly Resource[], readonly WritablePlace[]>();

function placesOf(objects: readonly Resource[], of: (object: Resource) => WritablePlace[]): readonly WritablePlace[] {
  const places = known.get(objects) ?? objects.flatMap(of);
  known.set(objects, places);
  return places;
}

function ofProject({ metadata, spec, status }: Resource): WritablePlace[] {
  const { path } = (status ?? {}) as Partial<ProjectStatus>;
  if (path === undefined || (spec as ProjectSpec).access === 'ReadOnly') return [];
  return [{ path, what: `project ${metadata.name}` }];
}

function ofSandbox({ metadata: { name }, status }: Resource): WritablePlace[] {
  const { mounts = [] } = (status ?? {}) as Partial<SandboxStatus>;
  const writable = mounts.filter(({ role, readOnly }) => role === 'workspace' && !readOnly);
  return writable.map(({ source }) => ({ path: source, what: `a mount of sandbox ${name}`, sandbox: name }));
}

/** Facts are an object's; these are nobody's, and outlive every sandbox. */
const WRITTEN = { uid: 'every-sandbox', name: 'written' } as const;

type Facts = Pick<StoreWriter, 'readFact' | 'writeFact'>;

/** Sources that any container ever had to write in: links below them may be an agent's work still. Sorted. */
function writtenPlaces(facts: Pick<Facts, 'readFact'>): readonly string[] {
  return JSON.parse(facts.readFact(WRITTEN.uid, WRITTEN.name) ?? '[]') as string[];
}

/** What containers have to write, by sandbox: which directories these are, wherever they were moved since. */
const HELD = { uid: 'every-sandbox', name: 'held' } as const;

type Held = Readonly<Record<string, readonly string[]>>;

function heldNow(facts: Pick<Facts, 'readFact'>): Held {
  return JSON.parse(facts.readFact(HELD.uid, HELD.name) ?? '{}') as Held;
}

/** To be called with device and inode of each before a container may write there, and with none when it is gone. */
export function rememberHeld(facts: Facts, sandbox: string, identities: readonly string[]): void {
  const { [sandbox]: before = [], ...others } = heldNow(facts);
  if (before.join() === identities.join()) return;
  const held: Held = identities.length > 0 ? { ...others, [sandbox]: identities } : others;
  facts.writeFact(HELD.uid, HELD.name, JSON.stringify(held));
}

/** The sandbox that has a directory above the path to write, whatever it is called by now. */
function holderAbove(path: string, held: Held): string | undefined {
  const holders = Object.entries(held);
  if (holders.length === 0) return undefined;
  const above = identitiesUpward(dirname(path));
  return holders.find(([, identities]) => identities.some((identity) => above.includes(identity)))?.[0];
}

/** The first of these real paths at which sessions may write, or ever could. */
export function writableOf(paths: readonly string[], store: StoreReader & Pick<Facts, 'readFact'>): string | undefined {
  if (paths.length === 0) return undefined;
  const places = [...writablePlaces(store).map(({ path }) => path), ...writtenPlaces(store)];
  const held = heldNow(store);
  return paths.find((path) => places.some((place) => contains(place, path)) || holderAbove(path, held) !== undefined);
}

/** To be called before a container may write there. */
export function rememberWritten(facts: Facts, sources: readonly string[]): void {
  const known = writtenPlaces(facts);
  const all = [...new Set([...known, ...sources])].sort();
  if (all.length > known.length) facts.writeFact(WRITTEN.uid, WRITTEN.name, JSON.stringify(all));
}

/** For people: how a manifest at these real paths could be written by a session, or could have been. */
export function exposureOf(paths: readonly string[], store: StoreReader & Pick<Facts, 'readFact'>): string | undefined {
  const mounted = mountedPlaces(store);
  for (const path of paths) {
    const place = placeAbove(path, mounted);
    if (place) return `${path} lies in ${place.path}, ${place.what}: it counts for nothing, move it elsewhere`;
  }
  const held = heldNow(store);
  for (const path of paths) {
    const sandbox = holderAbove(path, held);
    if (sandbox !== undefined) {
      return `${path} lies in a directory that sandbox ${sandbox} may write: it counts for nothing, move it elsewhere`;
    }
  }
  const written = writtenPlaces(store);
  const path = paths.find((each) => written.some((place) => isBelow(each, place)));
  return path && `${path} lies where sessions once could write: it counts for nothing, move it elsewhere`;
}

/** The first of them that `path` lies strictly below; both are absolute and free of links. */
function placeAbove(path: string, places: readonly WritablePlace[]): WritablePlace | undefined {
  return places.find((place) => isBelow(path, place.path));
}
