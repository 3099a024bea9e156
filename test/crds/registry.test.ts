import { KINDS } from '../../crds/meta';
import { kindByName, kindDefinition, kindDefinitions } from '../../crds/registry';

describe('the registry', () => {
  it('knows every kind', () => {
    expect(kindDefinitions().map((each) => each.kind)).toEqual([...KINDS]);
  });

  it.each([
    ['sb', 'Sandbox'],
    ['Sandbox', 'Sandbox'],
    ['sandboxes', 'Sandbox'],
    ['SANDBOXES.berth.dev', 'Sandbox'],
    ['sess', 'Session'],
    ['proj', 'Project'],
    ['cred', 'CredentialShare'],
    ['src', 'ManifestSource'],
    ['sbt', 'SandboxTemplate'],
    ['agents', 'Agent'],
    ['settings', 'Settings'],
  ])('finds %s', (name, kind) => {
    expect(kindByName(name)?.kind).toBe(kind);
  });

  it.each(['', 'pods', 's', 'constructor', '__proto__'])('finds nothing for %j', (name) => {
    expect(kindByName(name)).toBeUndefined();
  });

  it('gives no name to two kinds', () => {
    const names = kindDefinitions().flatMap((each) => [...new Set([each.singular, each.plural]), ...each.shortNames]);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('has Accepted and Ready for every kind', () => {
    for (const { conditions } of kindDefinitions()) {
      expect(Object.keys(conditions)).toEqual(expect.arrayContaining(['Accepted', 'Ready']));
    }
  });

  it('has reasons in the form that Kubernetes asks for, none twice', () => {
    for (const { kind, conditions } of kindDefinitions()) {
      for (const [type, reasons] of Object.entries(conditions)) {
        expect({ kind, type, reasons }).toEqual({ kind, type, reasons: [...new Set(reasons)] });
        for (const reason of reasons) expect(reason).toMatch(/^[A-Z][A-Za-z]+$/);
      }
    }
  });

  it('names fields that exist where it says that one has no effect yet', () => {
    for (const { kind, laterFields } of kindDefinitions()) {
      for (const path of laterFields)
        expect([kind, path, hasField(kindDefinition(kind).schema, path)]).toEqual([kind, path, true]);
    }
  });
});

function hasField(schema: unknown, path: string): boolean {
  let at: unknown = schema;
  for (const part of path.split('.').slice(1)) {
    at = (unwrapped(at) as { shape?: Record<string, unknown> }).shape?.[part];
  }
  return at !== undefined;
}

function unwrapped(schema: unknown): unknown {
  const inner = (schema as { def: { innerType?: unknown } }).def.innerType;
  return inner === undefined ? schema : unwrapped(inner);
}
