import { chmodSync, lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, reasonOf } from './errno';

/**
 * Makes a directory and those above it, each for its owner alone; one that is there stays as it is. Step by step, since
 * node's own way never returns on a file system that takes none, such as /proc. Throws with the path and the reason.
 */
export function makeDirectory(path: string): void {
  try {
    makeSteps(path);
  } catch (error) {
    throw new Error(`the directory ${path} can't be made: ${reasonOf(error)}`, { cause: error });
  }
}

/** The same, and one that is there already is tightened. */
export function makePrivateDirectory(path: string): void {
  makeDirectory(path);
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    throw new Error(`the directory ${path} can't be made its owner's alone: ${reasonOf(error)}`, { cause: error });
  }
}

/** From the outermost that is missing to the innermost. */
function makeSteps(path: string): void {
  const missing: string[] = [];
  for (let step = path; !isDirectory(step); step = dirname(step)) missing.unshift(step);
  for (const step of missing) {
    try {
      mkdirSync(step, { mode: 0o700 });
    } catch (error) {
      // Somebody else may have been faster.
      if (errnoOf(error) === 'EEXIST' && isDirectory(step)) continue;
      throw new Error(`nothing can be made in ${dirname(step)} (${reasonOf(error)})`, { cause: error });
    }
  }
}

/** False when there is nothing; throws for what is there and is none. */
function isDirectory(path: string): boolean {
  const stats = at(path, statSync);
  if (stats?.isDirectory()) return true;
  if (stats) throw new Error(`${path} is not a directory`);
  if (at(path, lstatSync)) throw new Error(`${path} is a link that leads nowhere`);
  return false;
}

/** Undefined also below what is no directory: that is told when it is come to. */
function at(path: string, look: (path: string) => Stats): Stats | undefined {
  try {
    return look(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
