import type { ManifestProblem } from '../../../crds/problems';
import { createHarness, type Harness } from './harness';

const BASE = '/apis/berth.dev/v1alpha1';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
  harness.store.put('Sandbox', 'main');
  harness.store.put('Sandbox', 'web');
});
afterEach(async () => {
  await harness.app.close();
});

function problem(overrides: Partial<ManifestProblem> = {}): ManifestProblem {
  return {
    path: '/m/main.yaml',
    line: 7,
    column: 3,
    reason: 'UnknownField',
    message: 'unknown field "imgae"',
    key: { kind: 'Sandbox', name: 'main' },
    ...overrides,
  };
}

/** The texts inside `299 - "…"`, as a client would read them. */
async function warnings(url: string): Promise<string[]> {
  const { headers } = await harness.app.inject({ url });
  const raw = headers['warning'];
  const list = raw === undefined ? [] : [raw].flat();
  return list.map((header) => {
    const text = Buffer.from(header, 'latin1').toString('utf8');
    const [, quoted = ''] = /^299 - "(.*)"$/.exec(text) ?? [];
    return quoted.replace(/\\(["\\])/g, '$1');
  });
}

describe('warnings', () => {
  it('name the place and the problem of a manifest', async () => {
    harness.store.setProblems([problem()]);
    expect(await warnings(`${BASE}/sandboxes`)).toEqual(['/m/main.yaml:7:3: unknown field "imgae"']);
  });

  it('leave out a place that means the whole file', async () => {
    harness.store.setProblems([problem({ line: 0, column: 0, message: 'permission denied' })]);
    expect(await warnings(`${BASE}/sandboxes`)).toEqual(['/m/main.yaml: permission denied']);
  });

  it('come with every list, since a broken file may hide anything', async () => {
    harness.store.setProblems([problem()]);
    expect(await warnings(`${BASE}/sessions`)).toHaveLength(1);
  });

  it('of another object stay away from the object that is asked for', async () => {
    harness.store.setProblems([problem()]);
    expect(await warnings(`${BASE}/sandboxes/main`)).toHaveLength(1);
    expect(await warnings(`${BASE}/sandboxes/web`)).toEqual([]);
    expect(await warnings(`${BASE}/sessions/main`)).toEqual([]);
  });

  it('of a file that could not be read at all come even with "not found"', async () => {
    const place = { path: '/m/main.yaml', line: 7, column: 3 };
    harness.store.setProblems([{ ...place, reason: 'InvalidYaml', message: 'bad indentation' }]);
    expect(await warnings(`${BASE}/sandboxes/nope`)).toEqual(['/m/main.yaml:7:3: bad indentation']);
  });

  it('tell what an accepted manifest does not achieve', async () => {
    const origin = { type: 'BuiltIn' } as const;
    harness.store.setManifest({ kind: 'Sandbox', name: 'web' }, { origin, problems: [], warnings: ['has no effect'] });
    expect(await warnings(`${BASE}/sandboxes/web`)).toEqual(['Sandbox "web": has no effect']);
    expect(await warnings(`${BASE}/sandboxes`)).toEqual(['Sandbox "web": has no effect']);
  });

  it('carry other scripts, and no controls', async () => {
    harness.store.setProblems([problem({ path: '/m/größe 漢字.yaml', message: 'bad\u001b[2J\nvalue\u202e' })]);
    expect(await warnings(`${BASE}/sandboxes`)).toEqual(['/m/größe 漢字.yaml:7:3: bad\\x1b[2J\\nvalue\\u202e']);
  });

  it('stay small enough for a header, however many and long they are', async () => {
    const many = Array.from({ length: 500 }, (_, line) => problem({ line: line + 1, message: 'ö'.repeat(3000) }));
    harness.store.setProblems(many);
    const texts = await warnings(`${BASE}/sandboxes`);
    expect(Buffer.byteLength(texts.join(''))).toBeLessThan(12_000);
    expect(texts.at(-1)).toBe('there are more problems in the manifests than can be listed here');
    expect(texts[0]).toMatch(/ö…$/);
  });

  it('are absent when all is well', async () => {
    expect(await warnings(`${BASE}/sandboxes`)).toEqual([]);
  });
});
