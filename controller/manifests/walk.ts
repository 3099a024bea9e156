import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../host/errno';

/** A manifest file as found: its path below the watched directory, and what it really is. */
export interface FoundFile {
  readonly path: string;
  /** After following every link. */
  readonly realPath: string;
  /** Changes whenever the content may have: inode, size and modification time. */
  readonly signature: string;
  readonly bytes: number;
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** Real paths of every directory that was read, the watched one first. */
  readonly directories: readonly string[];
  /** Entries that can't be followed or read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

const MANIFEST = /\.ya?ml$/;

/** Names that editors and version control keep beside manifests. */
const IGNORED = /^\.|~$|^#.*#$/;

interface Walk {
  readonly files: FoundFile[];
  readonly directories: string[];
  readonly unreadable: { path: string; reason: string }[];
}

/**
 * All manifests below `root`, links to files and directories followed, each real directory once (a circle of links
 * ends). Anything that isn't a regular file is passed over without being opened. Throws when `root` can't be read.
 */
export async function walk(root: string): Promise<Found> {
  const found: Walk = { files: [], directories: [], unreadable: [] };
  await readDirectory(root, found);
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

async function readDirectory(path: string, found: Walk): Promise<void> {
  const real = await realpath(path);
  if (found.directories.includes(real)) return;
  const names = await readdir(path);
  found.directories.push(real);
  for (const name of names.sort()) {
    if (!IGNORED.test(name)) await visit(join(path, name), found);
  }
}

async function visit(path: string, found: Walk): Promise<void> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) await readDirectory(path, found);
    else if (stats.isFile() && MANIFEST.test(path)) found.files.push(await describe(path, stats));
  } catch (error) {
    if (await isThere(path)) found.unreadable.push({ path, reason: codeOf(error) });
  }
}

/** What went away since its directory was listed is simply gone; what is there and can't be followed is not known. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => errnoOf(error) !== 'ENOENT',
  );
}

async function describe(path: string, stats: Stats): Promise<FoundFile> {
  return { path, realPath: await realpath(path), signature: signatureOf(stats), bytes: stats.size };
}

export function signatureOf(stats: Stats): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(':');
}

/** The errno of a file-system error (`ENOENT`), else its message. */
export function codeOf(error: unknown): string {
  return errnoOf(error) ?? String(error);
}
