import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

/** As many as the kernel follows in one path (path_resolution(7)). */
const MOST_LINKS = 40;

/**
 * Every link that is followed on the way of an absolute path, in order: each as its own place, with no link in what
 * leads there. Whoever can write beside one of them decides where the path ends. Ends early at what isn't there.
 */
export async function linksOn(path: string): Promise<readonly string[]> {
  const links: string[] = [];
  let place = '/';
  let rest = path.split('/');
  while (rest.length > 0 && links.length < MOST_LINKS) {
    const [name = '', ...more] = rest;
    rest = more;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      place = dirname(place);
      continue;
    }
    const next = join(place, name);
    const target = await linkAt(next);
    if (target === undefined) return links;
    if (target === '') {
      place = next;
      continue;
    }
    links.push(next);
    if (isAbsolute(target)) place = '/';
    rest = [...target.split('/'), ...rest];
  }
  return links;
}

/** Where a link points; empty for what is no link, undefined for what can't be looked at. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : '';
  } catch {
    return undefined;
  }
}
