import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { builtinDeclarations } from '../../crds/builtin';
import type { Declaration } from '../../crds/meta';
import { formatKey, KINDS } from '../../crds/meta';
import { parseManifest } from '../../crds/parse';

const ROOT = join(__dirname, '../..');

function filesBelow(folder: string, extension: string): readonly string[] {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile() && entry.name.endsWith(extension));
  return found.map((entry) => relative(ROOT, join(entry.parentPath, entry.name))).toSorted();
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The YAML blocks of a page that are manifests, each moved to the line it has in the page. */
function yamlBlocks(page: string): readonly string[] {
  return [...page.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)]
    .map((match) => '\n'.repeat(page.slice(0, match.index).split('\n').length) + (match[1] ?? ''))
    .filter((block) => block.includes('apiVersion: berth.dev/'));
}

const manifests = filesBelow('manifests', '.yaml');
const pages = ['README.md', ...filesBelow('docs', '.md'), ...filesBelow('manifests', '.md')].filter((path) =>
  existsSync(join(ROOT, path)),
);

function declarationsOf(paths: readonly string[]): readonly Declaration[] {
  return paths.flatMap((path) => parseManifest(read(path), path).documents.map(({ declaration }) => declaration));
}

describe('the manifests that ship', () => {
  it.each(manifests)('%s has no problem', (path) => {
    const { documents, problems, warnings } = parseManifest(read(path), path);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([]);
    expect(documents).not.toEqual([]);
  });

  it('have an example of every kind', () => {
    const kinds = declarationsOf(manifests.filter((path) => path.startsWith('manifests/examples/'))).map(
      (each) => each.kind,
    );
    expect([...new Set(kinds)].toSorted()).toEqual([...KINDS].toSorted());
  });

  it.each(['manifests/quickstart/', 'manifests/examples/'])('%s declares all that it refers to, once', (folder) => {
    const declared = declarationsOf(manifests.filter((path) => path.startsWith(folder)));
    const keys = declared.map(formatKey);
    expect(new Set(keys).size).toBe(keys.length);
    const known = new Set([...keys, ...builtinDeclarations().map(formatKey)]);
    for (const reference of declared.flatMap(referencesOf)) expect(known).toContain(reference);
  });

  it('start quickly without a warning', () => {
    for (const path of manifests.filter((each) => each.startsWith('manifests/quickstart/'))) {
      expect(parseManifest(read(path), path).documents.flatMap(({ warnings }) => warnings)).toEqual([]);
    }
  });
});

function referencesOf({ spec }: Declaration): readonly string[] {
  const { project, projects = [], agent, sandbox, sandboxes = [], template } = spec as References;
  const named = {
    Agent: [agent],
    Project: [project, ...projects],
    Sandbox: [sandbox, ...sandboxes],
    SandboxTemplate: [template],
  };
  return Object.entries(named).flatMap(([kind, names]) =>
    names.filter((name) => name !== undefined).map((name) => `${kind}/${name}`),
  );
}

interface References {
  readonly project?: string;
  readonly projects?: readonly string[];
  readonly agent?: string;
  readonly sandbox?: string;
  readonly sandboxes?: readonly string[];
  readonly template?: string;
}

describe('the pages', () => {
  it.each(pages)('%s shows only manifests without a problem', (path) => {
    for (const block of yamlBlocks(read(path))) expect(parseManifest(block, path).problems).toEqual([]);
  });

  it('would be found out', () => {
    const page = 'text\n```yaml\napiVersion: berth.dev/v1alpha1\nkind: Sandbx\n```\n';
    expect(yamlBlocks(page).flatMap((block) => parseManifest(block, 'p').problems.map(({ line }) => line))).toEqual([
      4,
    ]);
  });
});
