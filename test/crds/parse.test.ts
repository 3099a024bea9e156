import { parseManifest } from '../../crds/parse';

const HEAD = 'apiVersion: berth.dev/v1alpha1\n';

/** The problems of a text as `line:column reason message`, the way a person meets them. */
function problemsOf(text: string): readonly string[] {
  return parseManifest(text, 'file.yaml').problems.map(
    ({ line, column, reason, message }) => `${line}:${column} ${reason} ${message}`,
  );
}

function sandbox(spec: string): string {
  return `${HEAD}kind: Sandbox\nmetadata:\n  name: main\nspec:\n${spec}`;
}

describe('a valid file', () => {
  it('declares each of its documents, with where it begins', () => {
    const text = `# mine\n${HEAD}kind: Project\nmetadata: { name: web, labels: { team: shop } }\nspec: { path: ~/src/web }\n---\n---\n${sandbox('  projects: [web]\n')}`;
    expect(parseManifest(text, 'file.yaml')).toEqual({
      documents: [
        {
          declaration: {
            kind: 'Project',
            name: 'web',
            labels: { team: 'shop' },
            annotations: {},
            spec: { path: '~/src/web', access: 'ReadWrite' },
          },
          line: 2,
          warnings: [],
        },
        {
          declaration: { kind: 'Sandbox', name: 'main', labels: {}, annotations: {}, spec: { projects: ['web'] } },
          line: 8,
          warnings: [],
        },
      ],
      problems: [],
      warnings: [],
    });
  });

  it.each(['', '\n', '# nothing yet\n', '---\n---\n', '\uFEFF'])('may be empty: %j', (text) => {
    expect(parseManifest(text, 'file.yaml')).toEqual({ documents: [], problems: [], warnings: [] });
  });

  it('may be a List', () => {
    const item = sandbox('  projects: [web]\n').replaceAll('\n', '\n    ').trimEnd();
    const parsed = parseManifest(`apiVersion: v1\nkind: List\nitems:\n  - ${item}\n`, 'file.yaml');
    expect(parsed.problems).toEqual([]);
    expect(parsed.documents.map(({ declaration, line }) => [declaration.name, line])).toEqual([['main', 4]]);
  });

  it('may say something once and refer to it', () => {
    const text = sandbox(
      '  environment: &same [A=1]\n  volumeIgnores: *same\n  limits: &small { cpus: 1 }\n  network:\n    mode: None\n',
    );
    expect(parseManifest(text, 'f').documents[0]?.declaration.spec).toMatchObject({ volumeIgnores: ['A=1'] });
    const merged = sandbox('  limits:\n    <<: &base { cpus: 1, memory: 1Gi }\n    memory: 2Gi\n');
    expect(parseManifest(merged, 'f').documents[0]?.declaration.spec).toEqual({ limits: { cpus: 1, memory: '2Gi' } });
  });

  it('may be what the server printed', () => {
    const text = `${HEAD}kind: Sandbox\nmetadata:\n  name: main\n  uid: 1b\n  generation: 3\n  annotations: { berth.dev/restartedAt: "x", note: kept }\nspec: {}\nstatus: { conditions: [] }\n`;
    const parsed = parseManifest(text, 'f');
    expect(parsed.problems).toEqual([]);
    expect(parsed.documents[0]).toMatchObject({
      declaration: { name: 'main', annotations: { note: 'kept' } },
      warnings: ["the controller's own fields are left aside: metadata.uid, metadata.generation, status"],
    });
  });
});

describe('YAML that cannot be read', () => {
  it.each([
    ['a: {b: 1\n', '2:1 InvalidYaml'],
    ['a: 1\n\tb: 2\n', '2:1 InvalidYaml a tab is used to indent'],
    ['a: *nowhere\n', '1:4 InvalidYaml refers to an anchor'],
    ['a: &a [*a]\n', '1:7 InvalidYaml is nested more than 64 levels deep'],
    ['a: !!js/function x\n', '1:4 InvalidYaml Unresolved tag'],
    ['? [a]\n: b\n', '1:3 InvalidYaml'],
    ['__proto__: {}\n', '1:1 InvalidYaml "__proto__" cannot be a key'],
  ])('%j is said where it stands', (text, expected) => {
    expect(problemsOf(text)[0]).toContain(expected);
  });

  it('is said where a key is written twice', () => {
    expect(problemsOf(sandbox('  keepRunning: true\n  keepRunning: false\n'))).toEqual([
      '7:3 InvalidYaml "keepRunning" is written twice',
    ]);
  });

  it('does not take other documents with it', () => {
    const parsed = parseManifest(`a: {\n---\n${sandbox('  keepRunning: true\n')}`, 'f');
    expect(parsed.documents.map(({ declaration }) => declaration.name)).toEqual(['main']);
    expect(parsed.problems).not.toEqual([]);
  });

  it('is refused at once when it would grow without bound', () => {
    const letters = Array.from('abcdefghij');
    const bomb = letters.map((name, i) => {
      const items = Array<string>(9).fill(i === 0 ? 'x' : `*${letters[i - 1] ?? ''}`);
      return `${name}: &${name} [${items.join(',')}]`;
    });
    expect(problemsOf(bomb.join('\n'))).toEqual([expect.stringContaining('holds more than 20000 values')]);
    const references = Array.from({ length: 19_000 }, (_, i) => `k${i}: *r`);
    expect(problemsOf(`r: &r 1\n${references.join('\n')}`)).toEqual([
      expect.stringContaining('holds more than 20000 values'),
    ]);
    expect(problemsOf('x'.repeat(2 ** 20 + 1))).toEqual([expect.stringContaining('is larger than')]);
  });

  it('is refused when the file ends before the value of a key', () => {
    expect(problemsOf(sandbox('  limits:\n    memory:'))).toEqual([
      '7:5 InvalidYaml the file ends before the value of this key; is it half written?',
    ]);
    expect(problemsOf(sandbox('  limits:\n    memory:\n'))).toEqual([]);
  });
});

describe('an unknown field', () => {
  it('is said with its place and what was probably meant', () => {
    expect(problemsOf(sandbox('  limit: {}\n  memory: 4Gi\n  network: { port: [] }\n  wholly: other\n'))).toEqual([
      '6:3 UnknownField spec.limit: unknown field; did you mean "limits"?',
      '7:3 UnknownField spec.memory: unknown field; there is a "spec.limits.memory"',
      '8:14 UnknownField spec.network.port: unknown field; did you mean "ports"?',
      '9:3 UnknownField spec.wholly: unknown field',
    ]);
  });

  it('is found at the top, in metadata and in lists', () => {
    const text = `${HEAD}kind: Sandbox\nmetdata: {}\nmetadata: { name: main, lables: {} }\nspec:\n  volumes:\n    - { hostPath: /a, mountPath: /b, readonly: true }\n`;
    expect(problemsOf(text)).toEqual([
      '3:1 UnknownField metdata: unknown field; did you mean "metadata"?',
      '4:25 UnknownField metadata.lables: unknown field; did you mean "labels"?',
      '7:38 UnknownField spec.volumes[0].readonly: unknown field; did you mean "readOnly"?',
    ]);
  });

  it('names the object that it is in', () => {
    expect(parseManifest(sandbox('  limit: {}\n'), 'f').problems[0]?.key).toEqual({ kind: 'Sandbox', name: 'main' });
  });
});

describe('an object that cannot be used', () => {
  it.each([
    [
      'kind: Sandbox\nmetadata: { name: a }\nspec: {}\n',
      '1:1 InvalidManifest apiVersion: must be "berth.dev/v1alpha1"',
    ],
    [`${HEAD}metadata: { name: a }\n`, '1:1 InvalidManifest kind: must be one of Settings, Project'],
    [`${HEAD}kind: Sandbux\n`, '2:7 InvalidManifest kind: "Sandbux" is unknown; did you mean "Sandbox"?'],
    ['apiVersion: berth.dev/v1\nkind: Sandbox\n', '1:13 InvalidManifest apiVersion: "berth.dev/v1" is unknown'],
    ['apiVersion: bert.dev/v1alpha1\nkind: Sandbox\n', '1:13 InvalidManifest apiVersion: "bert.dev/v1alpha1" is'],
    ['apiVersion: ber\nkind: Sandbox\n', '1:13 InvalidManifest apiVersion: "ber" is unknown'],
    ['- a\n', '1:1 InvalidManifest must be an object'],
    [`${HEAD}kind: Sandbox\nspec: {}\n`, '1:1 InvalidManifest metadata: is missing'],
    [`${HEAD}kind: Sandbox\nmetadata: {}\nspec: {}\n`, '3:11 InvalidManifest metadata.name: is missing'],
    [`${HEAD}kind: Sandbox\nmetadata: { name: a }\n`, '1:1 InvalidManifest spec: is missing; write "spec: {}"'],
    [
      `${HEAD}kind: Project\nmetadata: { name: a }\n`,
      "1:1 InvalidManifest spec: is missing; a Project can't be without",
    ],
    [`${HEAD}kind: Sandbox\nmetadata: { name: a }\nspec:\n`, '4:1 InvalidManifest spec: is empty; write "spec: {}"'],
    [`${HEAD}kind: Sandbox\nmetadata: { name: A }\nspec: {}\n`, '3:19 InvalidManifest metadata.name: must be lower'],
    [`${HEAD}kind: Sandbox\nmetadata: { name: ${'a'.repeat(64)} }\nspec: {}\n`, 'metadata.name: is longer than 63'],
    [`${HEAD}kind: Settings\nmetadata: { name: mine }\nspec: {}\n`, '3:19 InvalidManifest metadata.name: must be "def'],
    [`${HEAD}kind: List\nitems: 3\n`, '3:8 InvalidManifest items: must be a list'],
    [`${HEAD}kind: List\nitem: []\nitems: []\n`, '3:1 UnknownField item: unknown field of a List'],
  ])('%j says why', (text, expected) => {
    expect(problemsOf(text)[0]).toContain(expected);
  });

  it('is refused for labels and annotations that Kubernetes would refuse, and for facts', () => {
    const labels = `labels: { "a b": x, c: 3, d: "${'x'.repeat(64)}" }, annotations: { berth.dev/x: y }`;
    expect(problemsOf(`${HEAD}kind: Sandbox\nmetadata: { name: a, ${labels} }\nspec: {}\n`)).toEqual([
      expect.stringMatching(/^3:32 InvalidManifest metadata\.labels\.a b: must be \[prefix\/\]name/),
      '3:45 InvalidManifest metadata.labels.c: must be text, not a number',
      expect.stringMatching(/^3:51 InvalidManifest metadata\.labels\.d: must be at most 63/),
      expect.stringMatching(
        /^3:\d+ InvalidManifest metadata\.annotations\.berth\.dev\/x: is a fact that the controller/,
      ),
    ]);
  });

  it('is refused as a repetition where the file already declares it', () => {
    const parsed = parseManifest(`${sandbox('  keepRunning: true\n')}---\n${sandbox('  keepRunning: false\n')}`, 'f');
    expect(parsed.documents.map(({ declaration }) => declaration.spec)).toEqual([{ keepRunning: true }]);
    expect(parsed.problems).toEqual([
      {
        path: 'f',
        line: 11,
        column: 9,
        reason: 'DuplicateObject',
        message: 'Sandbox/main is already declared at line 1',
        key: { kind: 'Sandbox', name: 'main' },
      },
    ]);
  });
});

describe('an object of somebody else', () => {
  it('is left aside with a word', () => {
    const parsed = parseManifest(`${sandbox('  keepRunning: true\n')}---\napiVersion: v1\nkind: ConfigMap\n`, 'f');
    expect(parsed.documents).toHaveLength(1);
    expect(parsed.problems).toEqual([]);
    expect(parsed.warnings).toEqual(['v1 ConfigMap at line 8 is left aside: it is not an object of berth.dev']);
  });
});

describe('what a problem says', () => {
  it('is the same for the same text', () => {
    const text = sandbox('  limit: {}\n  keepRunning: 3\n');
    expect(parseManifest(text, 'f')).toEqual(parseManifest(text, 'f'));
  });

  it('holds nothing that a terminal would act on', () => {
    const text = `${HEAD}kind: "\\e[2Jx"\n---\n${sandbox('  "\\e[31m\\u202Ered": 1\n')}---\napiVersion: "v1\\e]0;x\\a"\nkind: x\n`;
    const parsed = parseManifest(text, 'f');
    const said = [...parsed.problems.map(({ message }) => message), ...parsed.warnings].join('');
    expect(said).toContain('\\u{1b}[31m\\u{202e}red');
    expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
