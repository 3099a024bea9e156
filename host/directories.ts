import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** Makes a directory that only its owner can enter, with its parents; one that is there already is tightened. */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

/**
 * Makes `target` and what lies between it and `base`, following no link on the way: what is below `base` was written by
 * a session, and a planted link would lead us anywhere. Throws ELOOP or ENOTDIR when something else stands there.
 */
export async function ensureDirectoryBelow(base: string, target: string): Promise<void> {
  const names = relative(base, target).split(sep);
  if (names.includes('..')) throw new Error(`${target} does not lie below ${base}`);
  let handle = await openDirectory(base);
  try {
    for (const name of names.filter((part) => part !== '')) {
      const inside = join(`/proc/self/fd/${handle.fd}`, name);
      await mkdir(inside, { mode: 0o755 }).catch(ignore('EEXIST'));
      const next = await openDirectory(inside);
      await handle.close();
      handle = next;
    }
  } finally {
    await handle.close();
  }
}

async function openDirectory(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Moves a directory away whole; gone already is fine. Never overwrites: something at `to` is an error. */
export async function moveDirectory(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  if (await exists(to)) throw new Error(`${to} exists already`);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to);
}

/** Removes a directory that only this program ever wrote to. */
export async function removeOwnDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

function ignore(code: string): (error: unknown) => void {
  return (error) => {
    if (!hasCode(error, code)) throw error;
  };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
