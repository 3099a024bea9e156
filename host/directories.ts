import { lstat, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './errno';
import { makeDirectory } from './make-directory';

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
  makeDirectory(dirname(to));
  await rename(from, to);
}
