import fc from 'fast-check';
import { KINDS, type Kind } from '../../../crds/meta';
import { KIND_COLUMNS, toTable } from '../../../controller/api/tables';
import { isPrintable } from '../../../controller/api/wire/printable';
import type { Table } from '../../../controller/api/wire/types';
import { conditions, MemoryStore, type Put } from '../../helpers/memory-store';
import { createHarness, event, type Harness, NOW } from './harness';

const ACCEPT =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

/** The row of one object as `column: cell`, `<none>` left out. */
function row(kind: Kind, put: Put): Record<string, string> {
  const items = [new MemoryStore().put(kind, 'main', put)];
  const table = toTable({ columns: KIND_COLUMNS[kind], items, resourceVersion: '1', include: 'None', now: NOW });
  const cells = table.rows[0]?.cells ?? [];
  const named = table.columnDefinitions.map(({ name }, index): [string, string] => [name, cells[index] ?? '']);
  return Object.fromEntries(named.filter(([, cell]) => cell !== '<none>'));
}

function headers(kind: Kind): string {
  const shown = (wide: boolean): string =>
    KIND_COLUMNS[kind]
      .filter((column) => (column.wide ?? false) === wide)
      .map(({ name }) => name.toUpperCase())
      .join(' ');
  return `${shown(false)} | ${shown(true)}`;
}

describe('columns', () => {
  it.each([
    ['Sandbox', 'NAME RUNTIME STATUS READY UP-TO-DATE AGE | CONTAINER IMAGE CPUS MEMORY NETWORK'],
    ['Session', 'NAME PROJECT AGENT STATUS READY UP-TO-DATE AGE | SANDBOX WORKDIR'],
    ['Project', 'NAME PATH ACCESS READY AGE | BRANCH SANDBOXES'],
    ['Settings', 'NAME RUNTIME VERSION READY AGE | PLACEMENT AGENT ENDPOINT'],
  ] as const)('of %s are %s', (kind, expected) => {
    expect(headers(kind)).toBe(expected);
  });

  it.each(KINDS)('of %s begin with the name and end with the age', (kind) => {
    const shown = KIND_COLUMNS[kind].filter((column) => column.wide !== true).map(({ name }) => name);
    expect([shown.at(0), shown.at(-1)]).toEqual(['Name', 'Age']);
  });

  it.each(KINDS)('of %s are filled for an object that nobody has looked at', (kind) => {
    expect(row(kind, {})).toMatchObject({ Name: 'main', Ready: 'Unknown', Age: '5m3s' });
  });
});

describe('a row', () => {
  it('of a sandbox shows what was measured', () => {
    const spec = { image: { reference: 'old' }, limits: { cpus: 2, memory: '4Gi' }, network: { mode: 'Outbound' } };
    const status = {
      ...conditions({ Ready: 'True Ready', UpToDate: 'False ImageChanged' }),
      runtime: { kind: 'Docker', version: '27.0', endpoint: 'unix:///x' },
      image: { reference: 'localhost/berth/sandbox:dev', id: 'sha256:1' },
      containerId: 'c0ffee',
      limits: [
        { name: 'cpus', requested: '4', effective: '2', enforced: 'True' },
        { name: 'memory', requested: '8Gi', enforced: 'False' },
      ],
      network: { mode: 'NoOutbound', implementation: 'none' },
    };
    expect(row('Sandbox', { spec, status })).toEqual({
      Name: 'main',
      Runtime: 'Docker',
      Status: 'Ready',
      Ready: 'True',
      'Up-To-Date': 'False',
      Age: '5m3s',
      Container: 'c0ffee',
      Image: 'localhost/berth/sandbox:dev',
      CPUs: '2',
      Memory: '8Gi',
      Network: 'NoOutbound',
    });
  });

  it('of a sandbox that has no container shows what is asked for', () => {
    const spec = { image: { reference: 'dev' }, limits: { cpus: 2, memory: '4Gi' }, network: { mode: 'Outbound' } };
    expect(row('Sandbox', { spec })).toMatchObject({ Image: 'dev', CPUs: '2', Memory: '4Gi', Network: 'Outbound' });
  });

  it('of a session shows where it works', () => {
    const status = {
      ...conditions({ Ready: 'True Running', UpToDate: 'True UpToDate' }),
      agent: 'claude',
      sandbox: 'main',
    };
    expect(row('Session', { spec: { project: 'web' }, status })).toMatchObject({
      Project: 'web',
      Agent: 'claude',
      Status: 'Running',
      Sandbox: 'main',
    });
  });

  it('of a project shows the directory that it comes to', () => {
    const status = { path: '/home/ann/src/web', git: { isRepository: true, head: 'main' }, usedBy: ['a', 'b'] };
    expect(row('Project', { spec: { path: '~/src/web', access: 'ReadOnly' }, status })).toMatchObject({
      Path: '/home/ann/src/web',
      Access: 'ReadOnly',
      Branch: 'main',
      Sandboxes: 'a,b',
    });
  });

  it('of a share and of a template shows the sandboxes concerned', () => {
    const sandboxes = [
      { sandbox: 'api', mounted: true, reason: 'Mounted' },
      { sandbox: 'web', mounted: false, reason: 'SourceMissing' },
    ];
    expect(row('CredentialShare', { spec: {}, status: { sandboxes } })['Sandboxes']).toBe('api,web');
    expect(row('CredentialShare', { spec: { sandboxes: ['web'] } })['Sandboxes']).toBe('web');
    expect(row('SandboxTemplate', { status: { usedBy: ['main'] } })['Sandboxes']).toBe('main');
  });

  it('never shows what an inherited property holds', () => {
    expect(row('Sandbox', { spec: {}, status: {} })).not.toHaveProperty('Image');
    expect(row('Session', { spec: Object.create({ project: 'ghost' }) as object })).not.toHaveProperty('Project');
  });
});

describe('the status word', () => {
  it.each([
    ['Pending', {}],
    ['ImageNotFound', { status: conditions({ Ready: 'False ImageNotFound no such image' }) }],
    ['ManifestMissing', { status: conditions({ Accepted: 'False ManifestMissing', Ready: 'True Ready' }) }],
    ['Ready', { status: conditions({ Accepted: 'True Valid', Ready: 'True Ready' }) }],
    ['Starting', { status: conditions({ Accepted: 'Unknown NotObserved', Ready: 'False Starting' }) }],
  ])('is %s for %j', (word, put) => {
    expect(row('Sandbox', put)['Status']).toBe(word);
  });

  it('is Pending again when the spec has changed and nobody has looked yet', () => {
    const store = new MemoryStore();
    const object = store.put('Sandbox', 'main', {
      status: conditions({ Ready: 'True Ready', UpToDate: 'True UpToDate' }),
    });
    const items = [{ ...object, metadata: { ...object.metadata, generation: 2 } }];
    const table = toTable({ columns: KIND_COLUMNS.Sandbox, items, resourceVersion: '1', include: 'None', now: NOW });
    expect(table.rows[0]?.cells.slice(2, 5)).toEqual(['Pending', 'Unknown', 'Unknown']);
  });

  it('is Terminating once deletion was asked for', () => {
    const store = new MemoryStore();
    store.put('Sandbox', 'main', { finalizers: ['berth.dev/container'], status: conditions({ Ready: 'True Ready' }) });
    const marked = store.requestDeletion({ kind: 'Sandbox', name: 'main' })!;
    const table = toTable({
      columns: KIND_COLUMNS.Sandbox,
      items: [marked],
      resourceVersion: '1',
      include: 'None',
      now: NOW,
    });
    expect(table.rows[0]?.cells[2]).toBe('Terminating');
  });
});

describe('cells', () => {
  it('hold nothing that steers a terminal, whatever the objects hold', () => {
    const hostile = fc.string({ unit: fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCharCode(code)) });
    const shape = fc.record({
      spec: fc.record({
        project: hostile,
        path: hostile,
        type: hostile,
        url: hostile,
        image: fc.record({ reference: hostile }),
      }),
      status: fc.record({ workdir: hostile, containerId: hostile, usedBy: fc.array(hostile), path: hostile }),
    });
    fc.assert(
      fc.property(shape, fc.constantFrom(...KINDS), (put, kind) => {
        expect(Object.values(row(kind, put)).every(isPrintable)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a table over the API', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = createHarness();
    harness.store.put('Sandbox', 'main', { spec: { keepRunning: true } });
  });
  afterEach(async () => {
    await harness.app.close();
  });

  async function table(url: string, accept = ACCEPT): Promise<Table> {
    return (await harness.app.inject({ url, headers: { accept } })).json<Table>();
  }

  it('is what kubectl asks for', async () => {
    const answer = await table('/apis/berth.dev/v1alpha1/sandboxes');
    expect(answer).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '101' } });
    expect(answer.columnDefinitions[0]).toMatchObject({ name: 'Name', type: 'string', format: 'name', priority: 0 });
    expect(answer.columnDefinitions.at(-1)).toMatchObject({ name: 'Network', format: '', priority: 1 });
    expect(answer.rows).toHaveLength(1);
  });

  it.each([
    ['', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'main' } }],
    ['?includeObject=Metadata', { kind: 'PartialObjectMetadata', metadata: { name: 'main' } }],
    ['?includeObject=Object', { kind: 'Sandbox', spec: { keepRunning: true } }],
  ])('with %s carries %j', async (query, object) => {
    expect((await table(`/apis/berth.dev/v1alpha1/sandboxes${query}`)).rows[0]?.object).toMatchObject(object);
  });

  it('carries no object when none is wanted, and refuses what it does not know', async () => {
    expect((await table('/apis/berth.dev/v1alpha1/sandboxes?includeObject=None')).rows[0]).not.toHaveProperty('object');
    expect(await table('/apis/berth.dev/v1alpha1/sandboxes?includeObject=All')).toMatchObject({ code: 400 });
  });

  it('of one object has one row', async () => {
    harness.store.put('Sandbox', 'web');
    expect((await table('/apis/berth.dev/v1alpha1/sandboxes/main')).rows.map(({ cells }) => cells[0])).toEqual([
      'main',
    ]);
  });

  it('in another version is not acceptable, unless plain objects are too', async () => {
    const old = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io';
    expect(await table('/apis/berth.dev/v1alpha1/sandboxes', old)).toMatchObject({ code: 406 });
    expect(await table('/apis/berth.dev/v1alpha1/sandboxes', `${old},application/json`)).toMatchObject({
      kind: 'SandboxList',
    });
  });

  it('of events tells when, what and about whom', async () => {
    harness.events.add(
      event({ type: 'Warning', reason: 'PortUnavailable', message: 'Port 3000\nis taken.', count: 4 }),
    );
    const answer = await table('/api/v1/events');
    const shown = answer.columnDefinitions.filter(({ priority }) => priority === 0).map(({ name }) => name);
    expect(shown).toEqual(['Last Seen', 'Type', 'Reason', 'Object', 'Message']);
    expect(answer.rows[0]?.cells.slice(0, 7)).toEqual([
      '2m3s',
      'Warning',
      'PortUnavailable',
      'sandbox/main',
      'Port 3000\\nis taken.',
      '5m3s',
      '4',
    ]);
  });
});
