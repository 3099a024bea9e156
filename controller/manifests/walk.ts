import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../host/errno';
import { routeOf } from '../../host/links';

/** A manifest file as found: its path below the watched directory, and what it really is. */
export interface FoundFile {
  readonly path: string;
  /** Changes whenever the content may have, or whether it can be read. */
  readonly signature: string;
  readonly bytes: number;
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** By the paths they were reached: what is to be watched. */
  readonly directories: readonly string[];
  /** Real paths of everything that was read, of every link that was followed, and of where each leads. */
  readonly places: readonly string[];
  /** Entries that can't be followed or read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  /** Entries that lie where somebody else can write, with how; nothing of them was read. */
  readonly exposed: readonly { readonly path: string; readonly why: string }[];
  /** False when something could not be looked into: there may be more places than these. */
  readonly complete: boolean;
  /** Why the directory itself can't be read; then nothing was found. */
  readonly failed?: string;
}

const MANIFEST = /\.ya?ml$/;

/** Names that editors and version control keep beside manifests. */
const IGNORED = /^\.|~$|^#.*#$/;

/** Far more than manifests take, far less than a link to a whole disk leads to. */
const MOST_ENTRIES = 5_000;

/** Who else could write at one of these real paths, and so at a manifest; undefined when nobody. */
export type Exposure = (places: readonly string[]) => string | undefined;

interface Walk {
  readonly exposure: Exposure;
  readonly exposed: { path: string; why: string }[];
  readonly files: FoundFile[];
  readonly directories: string[];
  entries: number;
  readonly seen: Set<string>;
  readonly places: Set<string>;
  readonly unreadable: { path: string; reason: string }[];
  complete: boolean;
}

/** A directory or an entry of one: by what path it was reached, where it really is, and what was followed to get there. */
interface Spot {
  readonly path: string;
  readonly real: string;
  readonly links: readonly string[];
}

/**
 * All manifests below `root`, links to files and directories followed, each real directory once (a circle of links
 * ends). Only regular files are ever opened.
 */
export async function walk(root: string, exposure: Exposure): Promise<Found> {
  const found = newWalk(exposure);
  const { links, end } = await routeOf(root);
  try {
    await readDirectory({ path: root, real: end, links }, found);
  } catch (error) {
    return { ...newWalk(exposure), places: [...links, end], complete: false, failed: codeOf(error) };
  }
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { files, directories, places, unreadable, exposed, complete } = found;
  return { files, directories, places: [end, ...places], unreadable, exposed, complete };
}

function newWalk(exposure: Exposure): Walk {
  return {
    exposure,
    exposed: [],
    files: [],
    directories: [],
    entries: 0,
    seen: new Set(),
    places: new Set(),
    unreadable: [],
    complete: true,
  };
}

async function readDirectory(directory: Spot, found: Walk): Promise<void> {
  notePlaces(directory, found);
  if (found.seen.has(directory.real)) return;
  found.seen.add(directory.real);
  const entries = await readdir(directory.path, { withFileTypes: true });
  found.entries += entries.length;
  if (found.entries > MOST_ENTRIES) throw new TooMuch(`there are more than ${MOST_ENTRIES} files and directories`);
  found.directories.push(directory.path);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!IGNORED.test(entry.name)) await visit(await spotOf(directory, entry), found);
  }
}

async function spotOf({ path, real, links }: Spot, entry: Dirent): Promise<Spot> {
  const spot = { path: join(path, entry.name), real: join(real, entry.name), links };
  if (!entry.isSymbolicLink()) return spot;
  const route = await routeOf(spot.real);
  return { path: spot.path, real: route.end, links: [...links, ...route.links] };
}

async function visit(spot: Spot, found: Walk): Promise<void> {
  notePlaces(spot, found);
  try {
    const stats = await stat(spot.path);
    if (!stats.isDirectory() && !MANIFEST.test(spot.path)) return;
    const why = found.exposure([...spot.links, spot.real]);
    if (why !== undefined) found.exposed.push({ path: spot.path, why });
    else if (stats.isDirectory()) await readDirectory(spot, found);
    else addFile(spot, stats, found);
  } catch (error) {
    if (!(await isThere(spot.path))) return;
    found.unreadable.push({ path: spot.path, reason: codeOf(error) });
    if (!LEADS_NOWHERE.has(errnoOf(error) ?? '')) found.complete = false;
  }
}

/** What a link can lead to instead of a file, and all of it known. */
const LEADS_NOWHERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

function addFile({ path }: Spot, stats: Stats, { files, unreadable }: Walk): void {
  if (stats.isFile()) files.push({ path, signature: signatureOf(stats), bytes: stats.size });
  else unreadable.push({ path, reason: 'it is no regular file' });
}

/** Kept for whatever a link leads to: what is no manifest today may be a directory of them tomorrow. */
function notePlaces({ real, links }: Spot, { places }: Walk): void {
  for (const place of links) places.add(place);
  if (links.length > 0) places.add(real);
}

/** What went away since its directory was listed is simply gone; what is there and can't be followed is not known. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => errnoOf(error) !== 'ENOENT',
  );
}

export function signatureOf({ dev, ino, size, mtimeMs, mode }: Stats): string {
  return [dev, ino, size, mtimeMs, mode].join(':');
}

class TooMuch extends Error {
  override toString(): string {
    return this.message;
  }
}

/** The errno of a file-system error (`ENOENT`), else its message. */
export function codeOf(error: unknown): string {
  return errnoOf(error) ?? String(error);
}
