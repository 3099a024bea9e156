import fc from 'fast-check';
import type { ParsedManifest } from '../../crds/parse';
import { parseManifest } from '../../crds/parse';

const MANIFEST = `# Two objects, as people write them.
apiVersion: berth.dev/v1alpha1
kind: Sandbox
metadata:
  name: main
  labels: { team: shop }
spec:
  image: { reference: "localhost/berth/sandbox:dev", source: LocalBuild }
  projects: &projects [web, api]
  limits: { cpus: 2, memory: 4Gi, storage: EngineDefault }
  network:
    mode: NoOutbound
    ports: ["3000:3000"]
  environment:
    - TERM
    - "TOKEN=$$x"
---
apiVersion: berth.dev/v1alpha1
kind: Session
metadata: { name: fix }
spec: { project: web, sandbox: main, prompt: "Fix\\tit." }
`;

const LINES = MANIFEST.split('\n');

/** True of every answer, whatever was read. */
function expectSound(text: string, parsed: ParsedManifest): void {
  const lines = text.split('\n').length;
  for (const { line, column, message } of parsed.problems) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(message).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u);
  }
  for (const { declaration } of parsed.documents) expect(declaration.name).toMatch(/^[a-z0-9-]{1,63}$/);
}

function expectSoundFor(text: string): void {
  expectSound(text, parseManifest(text, 'f'));
}

describe('reading a manifest', () => {
  it('never throws and always gives a place, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), expectSoundFor), { numRuns: 300 });
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('{}[]:,-?&*!|>%@`\'"#\n\t a<=0\u0000\uFEFF')) }),
        expectSoundFor,
      ),
    );
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('utf8'));
    fc.assert(fc.property(bytes, expectSoundFor), { numRuns: 300 });
  });

  it('never throws for a manifest with damage in it', () => {
    const damage = fc.tuple(fc.nat(MANIFEST.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 8 }));
    fc.assert(
      fc.property(damage, ([at, length, text]) => {
        expectSoundFor(MANIFEST.slice(0, at) + text + MANIFEST.slice(at + length));
      }),
      { numRuns: 150 },
    );
    const shuffled = fc.shuffledSubarray(LINES, { minLength: 3 }).map((lines) => lines.join('\n'));
    fc.assert(fc.property(shuffled, expectSoundFor), { numRuns: 60 });
  });

  it('takes any JSON as the spec of any kind', () => {
    const kind = fc.constantFrom(
      'Settings',
      'Project',
      'Sandbox',
      'Session',
      'CredentialShare',
      'Agent',
      'ManifestSource',
    );
    fc.assert(
      fc.property(kind, fc.jsonValue({ maxDepth: 3 }), (kind, spec) => {
        expectSoundFor(JSON.stringify({ apiVersion: 'berth.dev/v1alpha1', kind, metadata: { name: 'default' }, spec }));
      }),
      { numRuns: 200 },
    );
  });

  it('gives something for every beginning of a manifest: objects, problems or, before the first key, nothing', () => {
    expect(parseManifest(MANIFEST, 'f')).toMatchObject({ documents: [{}, {}], problems: [] });
    const silent: number[] = [];
    for (let end = 0; end < MANIFEST.length; end += 1) {
      const text = MANIFEST.slice(0, end);
      const parsed = parseManifest(text, 'f');
      expectSound(text, parsed);
      if (parsed.documents.length + parsed.problems.length === 0) silent.push(end);
    }
    expect(MANIFEST.slice(0, Math.max(...silent))).toBe(`${LINES[0] ?? ''}\n`);
  });

  it.each([
    ['['.repeat(100_000), 1, 67],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 1, 67],
    ['{'.repeat(100_000), 1, 67],
    ['{a: '.repeat(50_000), 1, 265],
    ['- '.repeat(100_000), 1, 133],
    ['? '.repeat(100_000), 1, 133],
    [': '.repeat(100_000), 1, 133],
    ['[{a: '.repeat(50_000), 1, 166],
    [Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'), 67, 67],
    [`${MANIFEST}---\nspec: ${'['.repeat(100_000)}`, LINES.length + 1, 72],
  ])('finds where nesting without end becomes too deep: %#', (text, line, column) => {
    const problem = { path: 'f', line, column, reason: 'InvalidYaml', message: 'is nested more than 64 levels deep' };
    expect(parseManifest(text, 'f')).toEqual({ documents: [], problems: [problem], warnings: [] });
  });

  it('takes what is nested as deep as may be', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const reasons = (text: string) => parseManifest(text, 'f').problems.map(({ reason }) => reason);
    expect(reasons(nested(65))).not.toContain('InvalidYaml');
    expect(reasons(nested(66))).toEqual(['InvalidYaml']);
  });

  it.each(['! ', '&a ', '---\n', '%X\n', '?\n', '*a\n', '"a" ', 'a:\n'])('stops reading %j without end', (text) => {
    const message = 'holds more than 200000 words and signs';
    const { documents, problems } = parseManifest(text.repeat(Math.floor(2 ** 20 / text.length)), 'f');
    expect({ documents, problems }).toMatchObject({ documents: [], problems: [{ message }] });
  });

  it('never takes a document that ends before its spec for one that says nothing', () => {
    const spec = MANIFEST.indexOf('spec:') + 'spec:'.length;
    for (let end = 0; end <= spec; end += 1) expect(parseManifest(MANIFEST.slice(0, end), 'f').documents).toEqual([]);
  });
});
