import type { Resource } from '../../../crds/meta';
import type { Status } from '../../../controller/api/wire/types';
import { createHarness, type Harness } from './harness';

const MAIN = '/apis/berth.dev/v1alpha1/sandboxes/main';
const KEY = { kind: 'Sandbox', name: 'main' } as const;
const MERGE = { 'content-type': 'application/merge-patch+json' };

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(async () => {
  await harness.app.close();
});

type Request = {
  method: 'DELETE' | 'PATCH';
  url?: string;
  payload?: object | string;
  headers?: Record<string, string>;
};

async function send<Body>({
  url = MAIN,
  ...request
}: Request): Promise<{ code: number; body: Body; warning: unknown }> {
  const answer = await harness.app.inject({ url, ...request });
  return { code: answer.statusCode, body: answer.json<Body>(), warning: answer.headers['warning'] };
}

function patch<Body = Status>(payload: object | string, url = MAIN): Promise<{ code: number; body: Body }> {
  return send<Body>({ method: 'PATCH', url, payload, headers: MERGE });
}

describe('deletion', () => {
  it('gives back the object while its finalizers hold it', async () => {
    harness.store.put('Sandbox', 'main', { finalizers: ['berth.dev/container'] });
    const { code, body } = await send<Resource>({ method: 'DELETE' });
    expect(code).toBe(200);
    expect(body.kind).toBe('Sandbox');
    expect(body.metadata.deletionTimestamp).toBeDefined();
    expect(harness.store.get(KEY)).toEqual(body);
  });

  it('answers success with the uid when nothing holds the object', async () => {
    const { metadata } = harness.store.put('Sandbox', 'main');
    const { code, body } = await send<Status>({ method: 'DELETE' });
    expect(code).toBe(200);
    const details = { name: 'main', group: 'berth.dev', kind: 'sandboxes', uid: metadata.uid };
    expect(body).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 });
    expect(harness.store.get(KEY)).toBeUndefined();
  });

  it('of what is not there is not found', async () => {
    expect((await send<Status>({ method: 'DELETE' })).code).toBe(404);
  });

  it('takes the options that kubectl sends, whatever their policy', async () => {
    harness.store.put('Sandbox', 'main');
    const payload = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    expect((await send({ method: 'DELETE', payload })).code).toBe(200);
    expect(harness.store.get(KEY)).toBeUndefined();
  });

  it.each([[{ uid: 'another' }], [{ resourceVersion: '1' }]])('under the precondition %j is refused', async (wrong) => {
    harness.store.put('Sandbox', 'main');
    const { code, body } = await send<Status>({ method: 'DELETE', payload: { preconditions: wrong } });
    expect(code).toBe(409);
    expect(body.reason).toBe('Conflict');
    expect(harness.store.get(KEY)).toBeDefined();
  });

  it.each([
    [`${MAIN}?dryRun=All`, {}],
    [MAIN, { dryRun: ['All'] }],
  ])('as a dry run at %s with %j deletes nothing', async (url, payload) => {
    harness.store.put('Sandbox', 'main');
    expect((await send({ method: 'DELETE', url, payload })).code).toBe(200);
    expect(harness.store.get(KEY)?.metadata.deletionTimestamp).toBeUndefined();
  });

  it.each([
    [
      { type: 'File', path: '/m/main.yaml', line: 3 } as const,
      '299 - "/m/main.yaml:3 still declares Sandbox \\"main\\":',
    ],
    [{ type: 'BuiltIn' } as const, '299 - "Sandbox \\"main\\" is built in: it is made again"'],
  ])('warns when the declaration stands: %j', async (origin, warning) => {
    harness.store.put('Sandbox', 'main');
    harness.store.setManifest(KEY, { origin, problems: [], warnings: [] });
    expect(String((await send({ method: 'DELETE' })).warning)).toContain(warning);
  });

  it('does not warn when the manifest is gone already', async () => {
    harness.store.put('Sandbox', 'main');
    const missing = { since: '2026-01-01T00:00:00.000Z', massLoss: false };
    const origin = { type: 'File', path: '/m/main.yaml', line: 3 } as const;
    harness.store.setManifest(KEY, { origin, missing, problems: [], warnings: [] });
    expect((await send({ method: 'DELETE' })).warning).toBeUndefined();
  });
});

describe('a patch', () => {
  beforeEach(() => {
    harness.store.put('Sandbox', 'main', { spec: { keepRunning: true } });
    const origin = { type: 'File', path: '/m/main.yaml', line: 3 } as const;
    harness.store.setManifest(KEY, { origin, problems: [], warnings: [] });
  });

  it('sets and removes facts', async () => {
    const set = await patch<Resource>({
      metadata: { annotations: { 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' } },
    });
    expect(set.code).toBe(200);
    expect(set.body.metadata.annotations).toEqual({ 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' });
    const removed = await patch<Resource>({ metadata: { annotations: { 'berth.dev/restartedAt': null } } });
    expect(removed.body.metadata.annotations).toEqual({});
    expect(harness.store.get(KEY)).toEqual(removed.body);
  });

  it.each([
    ['spec', { spec: { keepRunning: false } }],
    ['status', { status: {} }],
    ['metadata.labels', { metadata: { labels: { a: 'b' } } }],
    ['metadata.finalizers', { metadata: { finalizers: null } }],
    [
      'metadata.annotations[berth.dev/manifest]',
      { metadata: { annotations: { 'berth.dev/manifest': '/elsewhere:1' } } },
    ],
    [
      'metadata.annotations[note]',
      { metadata: { annotations: { note: 'x', 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' } } },
    ],
    ['metadata.annotations[berth.dev/other]', { metadata: { annotations: { 'berth.dev/other': null } } }],
    ['metadata.annotations[berth.dev/\\u{1b}[2J]', { metadata: { annotations: { 'berth.dev/\u001b[2J': 'x' } } }],
    ['metadata.annotations[__proto__]', '{"metadata":{"annotations":{"__proto__":"x"}}}'],
    ['metadata.annotations[toString]', { metadata: { annotations: { toString: 'x' } } }],
    ['a\\u{a}b', { 'a\nb': 'x' }],
  ])('of %s is refused, naming the manifest, and changes nothing', async (field, payload) => {
    const before = harness.store.get(KEY);
    const { code, body } = await patch(payload);
    expect(code).toBe(422);
    expect(body).toMatchObject({ reason: 'Invalid', details: { name: 'main', kind: 'Sandbox' } });
    expect(body.details?.causes?.[0]?.field).toBe(field);
    expect(body.details?.causes?.[0]).toMatchObject({
      reason: 'FieldValueForbidden',
      message:
        'Forbidden: this is edited in its manifest /m/main.yaml:3; ' +
        'only the annotation berth.dev/restartedAt of a Sandbox or Session can be set here',
    });
    expect(body.message).toContain('/m/main.yaml:3');
    expect(harness.store.get(KEY)).toBe(before);
  });

  it.each([
    ['', 'must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z'],
    ['now', 'must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z'],
    ['2026-01-01', 'must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z'],
    ['2026-13-01T00:00:00Z', 'must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z'],
    ['2026-01-01T00:00:00Z\u001b[2J', 'must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z'],
    ['x'.repeat(250_000), 'must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z'],
    ['2026-01-01T01:00:00Z', 'must not lie in the future'],
  ])('to a time that is none is refused: %#', async (value, why) => {
    const before = harness.store.get(KEY);
    const { code, body } = await patch({ metadata: { annotations: { 'berth.dev/restartedAt': value } } });
    const [cause] = body.details?.causes ?? [];
    expect({ code, ...cause }).toMatchObject({
      code: 422,
      reason: 'FieldValueInvalid',
      field: 'metadata.annotations[berth.dev/restartedAt]',
    });
    expect(cause?.message).toMatch(/^Invalid value: "[^\p{Cc}]{0,210}": /u);
    expect(cause?.message).toContain(why);
    expect(body.message).toBe(`Sandbox "main" is invalid: ${cause?.field ?? ''}: ${cause?.message ?? ''}`);
    expect(harness.store.get(KEY)).toBe(before);
  });

  it('tells everything that is wrong with it', async () => {
    const { body } = await patch({ metadata: { annotations: { 'berth.dev/restartedAt': 'now', note: 'x' } } });
    expect(body.details?.causes?.map(({ reason }) => reason)).toEqual(['FieldValueInvalid', 'FieldValueForbidden']);
    expect(body.message).toMatch(/^Sandbox "main" is invalid: \[metadata.annotations\[.*\]$/);
  });

  it('asks for no restart of what does not run', async () => {
    harness.store.put('Project', 'web');
    const annotations = { 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' };
    const { code } = await patch({ metadata: { annotations } }, '/apis/berth.dev/v1alpha1/projects/web');
    expect(code).toBe(422);
  });

  it.each([
    ['[]', 'the patch must be an object'],
    ['{"metadata":[]}', 'metadata must be an object'],
    ['{"metadata":{"annotations":"x"}}', 'metadata.annotations must be an object'],
    ['{"metadata":{"annotations":{"berth.dev/a":1}}}', 'annotation berth.dev/a must be a string or null'],
    ['{"metadata":{"name":"other"}}', 'the name in the patch is not the name in the path'],
    ['{', 'the body of the request is not JSON'],
    ['', 'the patch must be an object'],
  ])('with the body %s is refused', async (payload, message) => {
    const { code, body } = await patch(payload);
    expect(code).toBe(400);
    expect(body).toMatchObject({ reason: 'BadRequest', message });
  });

  it.each([[{ uid: 'another' }], [{ resourceVersion: '1' }]])(
    'of an object that changed meanwhile is refused',
    async (metadata) => {
      const { code, body } = await patch({
        metadata: { ...metadata, annotations: { 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' } },
      });
      expect(code).toBe(409);
      expect(body.reason).toBe('Conflict');
    },
  );

  it.each(['application/json', 'application/strategic-merge-patch+json', 'application/apply-patch+yaml'])(
    'in the form %s is refused',
    async (type) => {
      const { code, body } = await send<Status>({ method: 'PATCH', payload: '{}', headers: { 'content-type': type } });
      expect(code).toBe(415);
      expect(body).toMatchObject({ kind: 'Status', reason: 'UnsupportedMediaType', code: 415 });
    },
  );

  it('as a dry run changes nothing', async () => {
    const before = harness.store.get(KEY);
    expect(
      (
        await patch(
          { metadata: { annotations: { 'berth.dev/restartedAt': '2026-01-01T00:00:00Z' } } },
          `${MAIN}?dryRun=All`,
        )
      ).code,
    ).toBe(200);
    expect(harness.store.get(KEY)).toBe(before);
  });

  it('that is too large is refused', async () => {
    const { code, body } = await patch({ metadata: { annotations: { 'berth.dev/a': 'x'.repeat(300_000) } } });
    expect(code).toBe(413);
    expect(body.reason).toBe('RequestEntityTooLarge');
  });

  it('of what is not there is not found', async () => {
    expect((await patch({}, '/apis/berth.dev/v1alpha1/sandboxes/nope')).code).toBe(404);
  });
});
