import { constants, lstatSync, statSync } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './errno';

/** A directory as it is now. `identity` is the device and inode: a path swapped for another directory differs. */
export type DirectoryState =
  | { readonly usable: true; readonly path: string; readonly identity: string }
  | { readonly usable: false; readonly reason: 'PathMissing' | 'NotADirectory' | 'NotReadable'; readonly path: string };

/** Follows every link of `path` and says what is there. A path that can't be looked at is `NotReadable`, not missing. */
export async function inspectDirectory(path: string): Promise<DirectoryState> {
  try {
    const real = await realpath(path);
    const stats = await stat(real, { bigint: true });
    if (!stats.isDirectory()) return { usable: false, reason: 'NotADirectory', path: real };
    await access(real, constants.R_OK | constants.X_OK);
    return { usable: true, path: real, identity: identityOf(stats) };
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');
    return { usable: false, reason: missing ? 'PathMissing' : 'NotReadable', path };
  }
}

const asked = new Map<string, Promise<string | undefined>>();

/**
 * `identity` of the directory at a path without links at its end; undefined when there is none. Whoever asks for the
 * same path meanwhile gets the same answer: many sandboxes have one project.
 */
export async function directoryIdentity(path: string): Promise<string | undefined> {
  const asking = asked.get(path) ?? askIdentity(path);
  asked.set(path, asking);
  try {
    return await asking;
  } finally {
    asked.delete(path);
  }
}

/** The same at once, for directories of ours: a look through the thread pool costs twenty times as much. */
export function ownDirectoryIdentity(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isDirectory() ? identityOf(stats) : undefined;
  } catch {
    return undefined;
  }
}

async function askIdentity(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    return stats.isDirectory() ? identityOf(stats) : undefined;
  } catch {
    return undefined;
  }
}

/** Identities of the path and of every directory above it but the root, as far as they are there. */
export function identitiesUpward(path: string): readonly string[] {
  const identities: string[] = [];
  for (let place = path; dirname(place) !== place; place = dirname(place)) {
    try {
      identities.push(identityOf(statSync(place, { bigint: true })));
    } catch {
      // Not there, or nobody's to look at: then no path of ours leads through it.
    }
  }
  return identities;
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
