import type { Resource } from '../../../crds/meta';
import type { List, Status } from '../../../controller/api/wire/types';
import { createHarness, type Harness } from './harness';

const BASE = '/apis/berth.dev/v1alpha1';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(async () => {
  await harness.app.close();
});

async function get<Body = unknown>(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ code: number; body: Body }> {
  const answer = await harness.app.inject({ url, headers });
  return { code: answer.statusCode, body: answer.json<Body>() };
}

async function names(query: string): Promise<string[]> {
  const { body } = await get<List<Resource>>(`${BASE}/sandboxes?${query}`);
  return body.items.map((object) => object.metadata.name);
}

describe('listing', () => {
  it('gives the objects of a kind by name, with the revision that a watch may begin at', async () => {
    harness.store.put('Sandbox', 'web');
    harness.store.put('Sandbox', 'main');
    harness.store.put('Session', 'fix-login');
    const { code, body } = await get<List<Resource>>(`${BASE}/sandboxes`);
    expect(code).toBe(200);
    expect(body).toMatchObject({ apiVersion: 'berth.dev/v1alpha1', kind: 'SandboxList' });
    expect(body.items.map((object) => object.metadata.name)).toEqual(['main', 'web']);
    expect(body.metadata.resourceVersion).toBe(harness.store.revision());
  });

  it.each([
    ['labelSelector=team%3Dshop', ['a', 'b']],
    ['labelSelector=team%3D%3Dshop,tier%3Dfront', ['a']],
    ['labelSelector=team!%3Dshop', ['c', 'd']],
    ['labelSelector=tier+in+(front,back)', ['a', 'b']],
    ['labelSelector=tier+notin+(front)', ['b', 'c', 'd']],
    ['labelSelector=tier', ['a', 'b']],
    ['labelSelector=!tier', ['c', 'd']],
    ['labelSelector=tier+in+(front,back),team%3Dshop,!gone', ['a', 'b']],
    ['labelSelector=', ['a', 'b', 'c', 'd']],
    ['labelSelector=constructor', []],
    ['fieldSelector=metadata.name%3Db', ['b']],
    ['fieldSelector=metadata.name!%3Db', ['a', 'c', 'd']],
    ['limit=1', ['a', 'b', 'c', 'd']],
  ])('with %s gives %j', async (query, expected) => {
    harness.store.put('Sandbox', 'a', { labels: { team: 'shop', tier: 'front' } });
    harness.store.put('Sandbox', 'b', { labels: { team: 'shop', tier: 'back' } });
    harness.store.put('Sandbox', 'c', { labels: { team: 'infra' } });
    harness.store.put('Sandbox', 'd');
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['fieldSelector=spec.image%3Dx', 'field label not supported: spec.image'],
    ['fieldSelector=metadata.name', 'invalid field selector: "metadata.name"'],
    ['labelSelector=a+b', 'unable to parse the label selector: "a b" is no label key'],
    ['labelSelector=a%3Db+c', 'unable to parse the label selector: "a=b c" is no label key'],
    ['labelSelector=a%3Db%2Fc', 'unable to parse the label selector: "b/c" is no label value'],
    ['watch=1&resourceVersion=abc', 'invalid resource version: "abc"'],
    ['watch=1&timeoutSeconds=-1', 'timeoutSeconds must be a whole number of seconds'],
  ])('with %s is refused: %s', async (query, message) => {
    const { code, body } = await get<Status>(`${BASE}/sandboxes?${query}`);
    expect(code).toBe(400);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'BadRequest', code: 400, message });
  });
});

describe('getting one object', () => {
  it('gives it as it is stored', async () => {
    const object = harness.store.put('Sandbox', 'main', { spec: { keepRunning: true } });
    expect((await get(`${BASE}/sandboxes/main`)).body).toEqual(object);
  });

  it('says what was not found', async () => {
    const { code, body } = await get(`${BASE}/sandboxes/nope`);
    expect(code).toBe(404);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'sandboxes.berth.dev "nope" not found',
      reason: 'NotFound',
      details: { name: 'nope', group: 'berth.dev', kind: 'sandboxes' },
      code: 404,
    });
  });
});

describe('anything else', () => {
  it.each(['/', '/apis/apps/v1', `${BASE}/pods`, `${BASE}/pods/x`, `${BASE}/sandboxes/main/status`, '/openapi/v2'])(
    'at %s is not found',
    async (url) => {
      const { code, body } = await get<Status>(url);
      expect(code).toBe(404);
      expect(body).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 });
    },
  );

  it('is refused in a form that is not served', async () => {
    const { code, body } = await get<Status>(`${BASE}/sandboxes`, { accept: 'application/yaml' });
    expect(code).toBe(406);
    expect(body).toMatchObject({ kind: 'Status', reason: 'NotAcceptable', code: 406 });
  });

  it.each(['application/json', '*/*', 'application/vnd.kubernetes.protobuf,application/json', ''])(
    'is served to a reader that accepts %j',
    async (accept) => {
      expect((await get(`${BASE}/sandboxes`, { accept })).code).toBe(200);
    },
  );

  it.each([
    ['POST', `${BASE}/sandboxes`, 'manifests in /home/ann/.config/berth/manifests'],
    ['DELETE', `${BASE}/sandboxes`, 'manifests in /home/ann/.config/berth/manifests'],
    ['PUT', `${BASE}/sandboxes/main`, 'its manifest /m/main.yaml:3'],
  ] as const)('by %s to %s is refused, naming where it is done', async (method, url, place) => {
    harness.store.put('Sandbox', 'main');
    const origin = { type: 'File', path: '/m/main.yaml', line: 3 } as const;
    harness.store.setManifest({ kind: 'Sandbox', name: 'main' }, { origin, problems: [], warnings: [] });
    const answer = await harness.app.inject({ method, url, payload: {} });
    expect(answer.statusCode).toBe(405);
    expect(answer.json<Status>()).toMatchObject({ reason: 'MethodNotAllowed', code: 405 });
    expect(answer.json<Status>().message).toContain(place);
    expect(harness.store.get({ kind: 'Sandbox', name: 'main' })).toBeDefined();
  });

  it('is refused with 405 where reading is all there is, and with 404 where there is nothing', async () => {
    expect((await harness.app.inject({ method: 'POST', url: '/version?x=1' })).statusCode).toBe(405);
    expect((await harness.app.inject({ method: 'POST', url: '/nothing' })).statusCode).toBe(404);
  });
});
