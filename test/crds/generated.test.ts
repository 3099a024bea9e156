import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { builtinDeclarations } from '../../crds/builtin';
import type { JsonSchema } from '../../crds/json-schema';
import { specJsonSchema } from '../../crds/json-schema';
import { KINDS } from '../../crds/meta';
import { kindDefinition, kindDefinitions } from '../../crds/registry';
import { conditionDocs } from '../../scripts/generate/condition-docs';
import { generateFiles } from '../../scripts/generate/files';

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = generateFiles(read);

/** Every schema in a schema, itself included, with the path of property names that leads to it. */
function schemasIn(schema: JsonSchema, path = 'spec'): readonly (readonly [string, JsonSchema])[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => schemasIn(each, `${path}.${name}`));
  const values = schema.additionalProperties;
  return [
    [path, schema],
    ...inner,
    ...(schema.items ? schemasIn(schema.items, `${path}[]`) : []),
    ...(typeof values === 'object' ? schemasIn(values, `${path}{}`) : []),
  ];
}

describe('the generated files', () => {
  it.each([...files.keys()])('%s is what the sources make of it', (path) => {
    expect(existsSync(join(ROOT, path)) ? read(path) : '').toBe(files.get(path));
  });

  it('are all there is in their folders', () => {
    const present = ['crds/generated', 'docs/reference'].flatMap((folder) =>
      readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
    );
    expect(present.toSorted()).toEqual([...files.keys()].toSorted());
  });

  it('are the same the second time', () => {
    expect(generateFiles(read)).toEqual(files);
  });
});

describe('the schemas', () => {
  it('describe every field in one sentence', () => {
    for (const kind of KINDS) {
      const fields = schemasIn(specJsonSchema(kind)).filter(([path]) => !/[\]}]$/.test(path));
      for (const [path, { description }] of fields) {
        expect(`${kind} ${path}: ${description ?? ''}`).toMatch(/: \S.*\.$/);
      }
    }
  });

  it('name enum values the way Kubernetes does', () => {
    for (const kind of KINDS) {
      for (const [, schema] of schemasIn(specJsonSchema(kind))) {
        for (const value of schema.enum ?? []) expect(value).toMatch(/^([A-Z][A-Za-z]+)?$/);
      }
    }
  });
});

describe('the CustomResourceDefinitions', () => {
  const definitions = kindDefinitions().map(({ plural }) => {
    return parse(files.get(`crds/generated/${plural}.berth.dev.yaml`) ?? '') as CustomResourceDefinition;
  });

  it('are cluster-wide and named as Kubernetes asks', () => {
    for (const { metadata, spec } of definitions) {
      expect(metadata.name).toBe(`${spec.names.plural}.${spec.group}`);
      expect(spec.scope).toBe('Cluster');
      expect(spec.versions).toHaveLength(1);
    }
  });

  it('are structural: each field has one type, and nothing that Kubernetes refuses', () => {
    for (const definition of definitions) {
      const schema = definition.spec.versions[0]?.schema.openAPIV3Schema ?? {};
      for (const [path, each] of schemasIn(schema, definition.spec.names.plural)) {
        const open = each['x-kubernetes-int-or-string'] ?? each['x-kubernetes-preserve-unknown-fields'];
        expect([path, each.type ?? (open === true ? 'open' : 'none')]).not.toEqual([path, 'none']);
        for (const refused of ['$schema', '$ref', 'const', 'propertyNames', 'builtInDefault']) {
          expect(each).not.toHaveProperty([refused]);
        }
        expect([path, each.additionalProperties]).not.toEqual([path, false]);
        // Kubernetes compiles patterns with RE2, which has no look-around.
        expect(typeof each.pattern === 'string' ? each.pattern : '').not.toMatch(/\(\?[=!<]/);
      }
    }
  });
});

interface CustomResourceDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: JsonSchema } }[];
  };
}

describe('the reference', () => {
  it('explains every condition and every reason of every kind', () => {
    for (const kind of KINDS) {
      const docs = conditionDocs(kind, read);
      const documented = Object.fromEntries(
        docs.map(({ type, reasons }) => [type, reasons.map((each) => each.reason)]),
      );
      expect(documented).toEqual(kindDefinition(kind).conditions);
      for (const { type, meaning, reasons } of docs) {
        expect(`${kind} ${type}: ${meaning}`).toMatch(/: True when .*\.$/);
        for (const each of reasons) expect(`${kind} ${type} ${each.reason}: ${each.meaning}`).toMatch(/: [A-Z].*\.$/);
      }
    }
  });
});

describe('the built-in objects', () => {
  it('are valid and give every default that other objects refer to', () => {
    const declared = builtinDeclarations().map(({ kind, name }) => `${kind}/${name}`);
    expect(declared).toEqual(
      expect.arrayContaining([
        'Settings/default',
        'SandboxTemplate/default',
        ...['claude', 'codex', 'copilot', 'gemini', 'opencode', 'pi', 'shell'].map((name) => `Agent/${name}`),
      ]),
    );
    expect(new Set(declared).size).toBe(declared.length);
  });

  it('leave sandboxes off until somebody asks for them', () => {
    const settings = builtinDeclarations().find(({ kind }) => kind === 'Settings');
    expect(settings?.spec).toEqual({
      runtime: { kind: 'Docker' },
      placement: 'Host',
      agent: 'claude',
      permissions: 'Default',
      template: 'default',
      prune: 'Hold',
    });
  });
});
