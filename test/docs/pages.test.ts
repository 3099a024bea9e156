import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { parseManifest } from '../../crds/parse';
import { anchorsOf, blocksOf, filesNamed, linksOf, pages, read, ROOT } from './pages';

/** Histories name what was there. */
const HISTORIES = /^(CHANGELOG\.md$|docs\/adr\/)/;

function deadLinks(page: string, text: string): readonly string[] {
  return linksOf(page, text)
    .filter(({ path, anchor }) => {
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== '' && !anchorsOf(path === page ? text : read(path)).includes(anchor);
    })
    .map(({ path, anchor }) => `${path}#${anchor}`);
}

function absentFiles(text: string): readonly string[] {
  return filesNamed(text).filter((path) => !existsSync(join(ROOT, path)));
}

describe('the pages', () => {
  it.each(pages())('%s links to what exists', (page) => {
    expect(deadLinks(page, read(page))).toEqual([]);
  });

  it.each(pages().filter((page) => !HISTORIES.test(page)))('%s names files that exist', (page) => {
    expect(absentFiles(read(page))).toEqual([]);
  });

  it.each(pages())('%s shows whole manifests in its YAML, without a problem', (page) => {
    for (const block of blocksOf(read(page), 'yaml')) {
      expect(parseAllDocuments(block)).not.toEqual([]);
      const { documents, problems } = parseManifest(block, page);
      expect(problems).toEqual([]);
      expect(documents).not.toEqual([]);
    }
  });

  it('are reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const { path } of linksOf(page, read(page))) if (path.endsWith('.md')) reached.add(path);
    }
    expect(pages().filter((page) => !reached.has(page))).toEqual([]);
  });
});

describe('a mistake in a page', () => {
  it('is found when a link leads nowhere', () => {
    const text =
      '# One thing\n[a](docs/none.md) [b](README.md) [c](#one-thing) [d](#other) [e](https://example.com/x)\n';
    expect(deadLinks('README.md', text)).toEqual(['docs/none.md#', 'README.md#other']);
  });

  it('is found when a file has another name', () => {
    expect(absentFiles('`controller/queue.ts`, `controller/cue.ts`, `crds/<kind>.ts` and `npm test`')).toEqual([
      'controller/cue.ts',
    ]);
  });

  it('is not looked for in blocks', () => {
    expect(deadLinks('README.md', '```text\n[a](none.md) `crds/none.ts`\n```\n')).toEqual([]);
  });
});
