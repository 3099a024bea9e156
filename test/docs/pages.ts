import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** Every page that people read, by its path from the root. */
export function pages(): readonly string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const below = ['docs', 'manifests'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return [...top, ...below].toSorted();
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export interface Link {
  /** Path from the root of what is linked to. */
  readonly path: string;
  readonly anchor: string;
}

/** Links to other places of the project; those to the web are nobody's to check here. */
export function linksOf(page: string, text: string): readonly Link[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

/** The anchors that a page's headings get, as GitHub makes them. */
export function anchorsOf(text: string): readonly string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

const ROOMS = [
  'crds',
  'controller',
  'reconcilers',
  'runtimes',
  'host',
  'ctl',
  'images',
  'manifests',
  'scripts',
  'test',
];
const FILE = new RegExp(`^(?:(?:${ROOMS.join('|')}|docs)/[\\w./-]+|[\\w.-]+\\.(?:cjs|mjs|md|json))$`);

/** Files and folders of the project that a page names in running text; one with a gap to fill in (`<kind>`) is none. */
export function filesNamed(text: string): readonly string[] {
  const words = [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
  return [...new Set(words.filter((word) => FILE.test(word)))];
}

/** Fenced blocks by their language. */
export function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, name]) => name === language)
    .map(([, , block = '']) => block);
}

function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replace(/`[^`\n]*`/g, '');
}
