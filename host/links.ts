import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

/** As many as the kernel follows in one path (path_resolution(7)). */
const MOST_LINKS = 40;

export interface Route {
  /** Each link that is followed, in order: its own place, with no link in what leads there. */
  readonly links: readonly string[];
  /** Where the path leads, free of links as far as it exists: what isn't there yet is where it would be. */
  readonly end: string;
}

/** Walks an absolute path as the kernel does. Whoever can write beside one of its links decides where it ends. */
export async function routeOf(path: string): Promise<Route> {
  const links: string[] = [];
  let place = '/';
  let rest = path.split('/');
  while (rest.length > 0) {
    const [name = '', ...more] = rest;
    rest = more;
    if (name === '' || name === '.') continue;
    const next = name === '..' ? dirname(place) : join(place, name);
    const target = name === '..' ? undefined : await linkAt(next);
    if (target === undefined || links.length === MOST_LINKS) {
      place = next;
      continue;
    }
    links.push(next);
    if (isAbsolute(target)) place = '/';
    rest = [...target.split('/'), ...rest];
  }
  return { links, end: place };
}

/** Where a link points; undefined for what is no link, is not there, or can't be looked at. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return undefined;
  }
}
