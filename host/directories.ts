import { chmod, lstat, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './errno';

/** Makes a directory that only its owner can enter, with its parents; one that is there already is tightened. */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
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
