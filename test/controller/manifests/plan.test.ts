import { planManifests, QUIET_MS } from '../../../controller/manifests/plan';
import type { Scan, ScannedFile } from '../../../controller/manifests/scan';
import type { ParsedDocument } from '../../../crds/parse';
import type { StoredObject } from '../../../controller/state/rows';
import type { ManifestState } from '../../../controller/store';
import { API_VERSION, type Kind } from '../../../crds/meta';

const NOW = 1_000_000;

function document(name: string, kind: Kind = 'Sandbox', line = 1): ParsedDocument {
  return { declaration: { kind, name, labels: {}, annotations: {}, spec: {} }, line, warnings: [] };
}

function parsed(path: string, ...documents: ParsedDocument[]): ScannedFile {
  return { path, state: 'Parsed', documents, warnings: [] };
}

function broken(path: string): ScannedFile {
  const problem = { path, line: 2, column: 1, reason: 'InvalidYaml', message: 'does not parse' } as const;
  return { path, state: 'Broken', problems: [problem] };
}

function scan(files: ScannedFile[], quietForMs = QUIET_MS): Scan {
  return { readable: true, files, problems: [], quietSince: NOW - quietForMs };
}

function stored(name: string, path: string, manifest: Partial<ManifestState> = {}): StoredObject {
  return {
    resource: {
      apiVersion: API_VERSION,
      kind: 'Sandbox',
      metadata: { name, uid: name, generation: 1, resourceVersion: '1', creationTimestamp: '' },
      spec: {},
    },
    manifest: { origin: { type: 'File', path, line: 1 }, problems: [], warnings: [], ...manifest },
  };
}

function plan(input: { scan: Scan; stored?: StoredObject[]; builtIns?: ParsedDocument[] }) {
  return planManifests({ stored: [], builtIns: [], now: NOW, ...input });
}

const names = (list: readonly { key: { name: string } }[]) => list.map(({ key }) => key.name);

describe('planManifests', () => {
  it('declares what the files say', () => {
    const { declare } = plan({ scan: scan([parsed('/m/a.yaml', document('main', 'Sandbox', 7))]) });
    expect(declare).toMatchObject([
      { declaration: { name: 'main' }, manifest: { origin: { path: '/m/a.yaml', line: 7 } } },
    ]);
  });

  it('tells an object what is wrong with it, and its neighbours that their file is not in order', () => {
    const typo = { path: '/m/a.yaml', line: 9, column: 3, reason: 'UnknownField', message: 'limts' } as const;
    const file: ScannedFile = {
      path: '/m/a.yaml',
      state: 'Broken',
      problems: [{ ...typo, key: { kind: 'Sandbox', name: 'main' } }],
    };
    const { note } = plan({ scan: scan([file]), stored: [stored('main', '/m/a.yaml'), stored('next', '/m/a.yaml')] });
    expect(note.map(({ key, manifest }) => [key.name, manifest.problems.map(({ reason }) => reason)])).toEqual([
      ['main', ['UnknownField']],
      ['next', ['InvalidManifest']],
    ]);
  });

  it('keeps the objects of a broken file as they were, saying why', () => {
    const result = plan({ scan: scan([broken('/m/a.yaml')]), stored: [stored('main', '/m/a.yaml')] });
    expect(result.declare).toEqual([]);
    expect(result.note).toMatchObject([{ key: { name: 'main' }, manifest: { problems: [{ reason: 'InvalidYaml' }] } }]);
    expect(result.note[0]?.manifest.missing).toBeUndefined();
    expect(result.problems).toHaveLength(1);
  });

  it('waits for a quiet while before an absence counts', () => {
    const early = plan({
      scan: scan([parsed('/m/b.yaml', document('b'))], 500),
      stored: [stored('a', '/m/a.yaml'), stored('b', '/m/b.yaml')],
    });
    expect(early.note).toEqual([]);
    expect(early.lookAgainAt).toBe(NOW - 500 + QUIET_MS);
  });

  it('marks an object missing once the scan stayed quiet', () => {
    const result = plan({
      scan: scan([parsed('/m/b.yaml', document('b'))]),
      stored: [stored('a', '/m/a.yaml'), stored('b', '/m/b.yaml')],
    });
    expect(result.note).toMatchObject([{ key: { name: 'a' }, manifest: { missing: { massLoss: false } } }]);
  });

  it.each([
    ['another file is broken', broken('/m/c.yaml')],
    ['another file is still being written', { path: '/m/c.yaml', state: 'Unsettled' } as const],
  ])('concludes nothing from an absence while %s', (_, other) => {
    const result = plan({
      scan: scan([parsed('/m/b.yaml', document('b')), other]),
      stored: [stored('a', '/m/a.yaml'), stored('b', '/m/b.yaml')],
    });
    expect(result.note).toEqual([]);
  });

  it('concludes nothing when the directory itself is gone', () => {
    const gone: Scan = { readable: false, files: [], problems: [], quietSince: 0 };
    expect(plan({ scan: gone, stored: [stored('a', '/m/a.yaml')] })).toMatchObject({ note: [], declare: [] });
  });

  it.each([
    [['a', 'b', 'c', 'd'], ['e', 'f', 'g', 'h', 'i', 'j'], true],
    [['a', 'b', 'c'], ['d', 'e', 'f'], false],
    [['a', 'b'], ['c'], true],
    [['a'], ['b'], false],
  ])('takes the loss of %j beside %j for an accident: %s', (lost, left, massLoss) => {
    const result = plan({
      scan: scan([parsed('/m/left.yaml', ...left.map((name) => document(name)))]),
      stored: [
        ...lost.map((name) => stored(name, '/m/lost.yaml')),
        ...left.map((name) => stored(name, '/m/left.yaml')),
      ],
    });
    expect(names(result.note)).toEqual(lost);
    expect(result.note.map(({ manifest }) => manifest.missing?.massLoss)).toEqual(lost.map(() => massLoss));
  });

  it('clears the mark when the document is back', () => {
    const missing = { since: '', massLoss: true };
    const result = plan({
      scan: scan([parsed('/m/a.yaml', document('a'))]),
      stored: [stored('a', '/m/a.yaml', { missing })],
    });
    expect(result.declare[0]?.manifest.missing).toBeUndefined();
  });

  it('keeps the declaration in force when a second file declares the same name', () => {
    const files = [parsed('/m/a.yaml', document('main')), parsed('/m/b.yaml', document('main', 'Sandbox', 9))];
    const result = plan({ scan: scan(files), stored: [stored('main', '/m/b.yaml')] });
    expect(result.declare).toMatchObject([{ manifest: { origin: { path: '/m/b.yaml' } } }]);
    expect(result.problems).toMatchObject([{ path: '/m/a.yaml', reason: 'DuplicateObject' }]);
    expect(result.problems[0]?.message).toContain('/m/b.yaml:9');
  });

  it('takes the first path when neither of two is in force', () => {
    const files = [parsed('/m/a.yaml', document('main')), parsed('/m/b.yaml', document('main'))];
    expect(plan({ scan: scan(files) }).declare).toMatchObject([{ manifest: { origin: { path: '/m/a.yaml' } } }]);
  });

  it('lets a file override what is built in, and brings it back when the file has gone', () => {
    const builtIns = [document('default', 'Settings')];
    const overridden = plan({ scan: scan([parsed('/m/a.yaml', document('default', 'Settings'))]), builtIns });
    expect(overridden.declare).toMatchObject([{ manifest: { origin: { type: 'File' } } }]);
    const settings = stored('default', '/m/a.yaml');
    const was = { ...settings, resource: { ...settings.resource, kind: 'Settings' as const } };
    const gone = plan({ scan: scan([]), stored: [was], builtIns });
    expect(gone.declare).toMatchObject([{ manifest: { origin: { type: 'BuiltIn' } } }]);
    expect(gone.note).toEqual([]);
  });

  it('refuses a file that declares a name an owned object has', () => {
    const owner = { apiVersion: API_VERSION, kind: 'Session', name: 'fix', uid: 'u', controller: true } as const;
    const owned = stored('fix', '', { origin: { type: 'Owned', owner } });
    const result = plan({ scan: scan([parsed('/m/a.yaml', document('fix'))]), stored: [owned] });
    expect(result.declare).toEqual([]);
    expect(result.problems).toMatchObject([{ reason: 'NameConflict', path: '/m/a.yaml' }]);
  });
});
