import { createHarness, STATUS } from './harness';

interface ResourceEntry {
  readonly name: string;
  readonly singularName: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
}

async function read<Body>(url: string): Promise<Body> {
  const { app } = createHarness();
  const answer = await app.inject({ url });
  expect(answer.statusCode).toBe(200);
  return answer.json<Body>();
}

describe('discovery', () => {
  it('leads from the groups to the types', async () => {
    expect(await read('/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect(await read('/apis')).toMatchObject({ kind: 'APIGroupList', groups: [{ name: 'berth.dev' }] });
    expect(await read('/apis/berth.dev')).toMatchObject({
      kind: 'APIGroup',
      preferredVersion: { groupVersion: 'berth.dev/v1alpha1', version: 'v1alpha1' },
    });
  });

  it('describes every type so that kubectl can name it', async () => {
    const { resources } = await read<{ resources: ResourceEntry[] }>('/apis/berth.dev/v1alpha1');
    expect(resources.map(({ name }) => name)).toEqual([
      'settings',
      'projects',
      'sandboxtemplates',
      'sandboxes',
      'sessions',
      'credentialshares',
      'agents',
      'manifestsources',
    ]);
    expect(resources.find(({ name }) => name === 'sandboxes')).toEqual({
      name: 'sandboxes',
      singularName: 'sandbox',
      kind: 'Sandbox',
      shortNames: ['sb'],
      namespaced: false,
      categories: ['all', 'berth'],
      verbs: ['delete', 'get', 'list', 'patch', 'watch'],
    });
  });

  it('gives no name to two types', async () => {
    const { resources } = await read<{ resources: ResourceEntry[] }>('/apis/berth.dev/v1alpha1');
    const names = resources.flatMap(({ name, singularName, shortNames }) => [
      ...new Set([name, singularName, ...shortNames]),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('lists events among the core types', async () => {
    expect(await read('/api/v1')).toMatchObject({ groupVersion: 'v1', resources: [{ name: 'events', kind: 'Event' }] });
  });
});

describe('the controller', () => {
  it('tells its version in the way of Kubernetes', async () => {
    expect(await read('/version')).toMatchObject({ major: '0', minor: '1', gitVersion: 'v0.1.0' });
  });

  it('tells which it is', async () => {
    expect(await read('/berth/status')).toEqual(STATUS);
  });

  it.each(['/healthz', '/livez', '/readyz'])('is well at %s', async (url) => {
    const { app } = createHarness();
    expect((await app.inject({ url })).body).toBe('ok');
  });

  it('is alive but not ready before the manifests are read', async () => {
    const { app } = createHarness(() => ({ ...STATUS, ready: false }));
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503);
    expect((await app.inject({ url: '/livez' })).statusCode).toBe(200);
  });

  it('answers a defect with a Status that gives nothing away', async () => {
    const { app } = createHarness(() => {
      throw new Error('secret');
    });
    const answer = await app.inject({ url: '/berth/status' });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ kind: 'Status', reason: 'InternalError', code: 500 });
    expect(answer.body).not.toContain('secret');
  });
});
