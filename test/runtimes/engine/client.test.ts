import { dockerDialect } from '../../../runtimes/docker/dialect';
import { createDriver } from '../../../runtimes/engine/driver';
import { podmanDialect } from '../../../runtimes/podman/dialect';
import type { Runtime } from '../../../runtimes/runtime';
import { eventually, failureOf } from '../../helpers/engine';
import { DOCKER } from '../../helpers/engine-fixtures';
import { EngineServer, hang, json } from '../../helpers/engine-server';
import { FakeClock } from '../../helpers/fake-clock';

describe('a driver', () => {
  let server: EngineServer;
  let clock: FakeClock;
  let runtime: Runtime;
  beforeEach(async () => {
    server = await EngineServer.listen();
    clock = new FakeClock();
    runtime = driver(server.endpoint);
  });
  afterEach(() => server.close());

  function driver(endpoint: string, installed = true): Runtime {
    return createDriver(dockerDialect, { endpoint, timers: clock, installed: () => installed });
  }

  /** Once a request has come in, the clock may be turned. */
  const asked = (): Promise<void> => eventually('a request comes', () => server.requests.length > 0);

  const calls: [string, () => Promise<unknown>][] = [
    ['observe', () => runtime.containers.observe('main')],
    ['list', () => runtime.containers.list({})],
    ['create', () => runtime.containers.create(DOCKER.spec)],
    ['start', () => runtime.containers.start('main')],
    ['stop', () => runtime.containers.stop('main', { graceMs: 10_000 })],
    ['remove', () => runtime.containers.remove('main')],
    ['run', () => runtime.execs.run('main', { command: ['true'] })],
    ['exec start', () => runtime.execs.start('main', { command: ['true'] })],
    ['find', () => runtime.images.find('localhost/a:1')],
    ['pull', () => runtime.images.pull('localhost/a:1')],
    ['volumes', () => runtime.volumes.list({})],
    ['probe', () => runtime.probe()],
    ['changes', () => runtime.changes({}, new AbortController().signal)],
  ];

  it.each(calls)('gives up %s on an engine that hangs, and hangs up', async (_title, call) => {
    const failure = failureOf(call());
    await asked();
    clock.advance(3_600_000);
    expect(await failure).toMatchObject({ code: 'Timeout', failure: { cause: 'Timeout' } });
    await eventually('no connection is left', async () => (await server.connections()) === 0);
  });

  it('gives a stop the time that the container has, and no less', async () => {
    let settled = false;
    const failure = failureOf(runtime.containers.stop('main', { graceMs: 30_000 })).finally(() => (settled = true));
    await asked();
    clock.advance(30_000);
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    clock.advance(30_000);
    expect(await failure).toMatchObject({ code: 'Timeout' });
    expect(server.requests).toEqual(['POST /containers/main/stop?t=30']);
  });

  it('lets a paused container go on to stop it, where the engine refuses to stop it so', async () => {
    let paused = true;
    server.answer = (request, response) => {
      const { method, url = '' } = request;
      if (url.endsWith('/unpause')) paused = false;
      const running = DOCKER.read('inspect-running') as { State: object };
      const inspected = { ...running, Name: '/main', State: { ...running.State, Paused: paused } };
      if (method === 'GET') json(inspected)(request, response);
      else if (url.includes('/stop') && paused) json({ message: 'main is in state paused' }, 500)(request, response);
      else json(undefined, 204)(request, response);
    };
    await runtime.containers.stop('main', { graceMs: 1_000 });
    expect(server.requests.map((request) => request.replace(/\?.*/, ''))).toEqual([
      'POST /containers/main/stop',
      'GET /containers/main/json',
      'POST /containers/main/unpause',
      'POST /containers/main/stop',
    ]);
  });

  it('ends a call when its signal aborts', async () => {
    const stop = new AbortController();
    const failure = failureOf(runtime.containers.list({}, { signal: stop.signal }));
    await asked();
    stop.abort();
    expect(await failure).toMatchObject({ code: 'Timeout' });
    await eventually('no connection is left', async () => (await server.connections()) === 0);
  });

  it('leaves no connection and no alarm behind a call that went well', async () => {
    server.answer = json([]);
    expect(await runtime.containers.list({ a: 'b' })).toEqual([]);
    await eventually('no connection is left', async () => (await server.connections()) === 0);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  it('says NotRunning where nobody listens, and NotInstalled where there is nothing to run', async () => {
    const gone = server.endpoint.replace('engine.sock', 'none.sock');
    expect(await failureOf(driver(gone).probe())).toMatchObject({
      code: 'Unavailable',
      failure: { cause: 'NotRunning', slots: { endpoint: gone } },
    });
    expect(await failureOf(driver(gone, false).probe())).toMatchObject({ failure: { cause: 'NotInstalled' } });
  });

  it('says Unavailable when the engine dies in the middle of an answer', async () => {
    const failure = failureOf(runtime.containers.observe('main'));
    await asked();
    server.die();
    expect(await failure).toMatchObject({ code: 'Unavailable', failure: { cause: 'NotRunning' } });
  });

  it('goes to its endpoint, whatever DOCKER_HOST says', async () => {
    server.answer = json(undefined, 404);
    const before = process.env.DOCKER_HOST;
    process.env.DOCKER_HOST = 'tcp://127.0.0.1:1';
    try {
      expect(await driver(server.endpoint).containers.observe('main')).toEqual({ present: false });
    } finally {
      if (before === undefined) delete process.env.DOCKER_HOST;
      else process.env.DOCKER_HOST = before;
    }
  });

  it('does not take a container for another whose id begins with the name', async () => {
    server.answer = json({ ...(DOCKER.read('inspect-running') as object), Name: '/other' });
    expect(await runtime.containers.observe('abc')).toEqual({ present: false });
  });

  it('leaves a container out of the list that goes while it is listed', async () => {
    server.answer = (request, response) => {
      const listing = request.url?.startsWith('/containers/json') === true;
      if (listing) json([{ Id: 'gone' }])(request, response);
      else json({ message: 'No such container: gone' }, 404)(request, response);
    };
    expect(await runtime.containers.list({})).toEqual([]);
  });

  it('waits for a removal that somebody else has begun', async () => {
    let looks = 0;
    server.answer = (request, response) => {
      if (request.method === 'DELETE')
        json({ message: 'removal of container main is already in progress' }, 409)(request, response);
      else if (looks++ < 2) json({ ...(DOCKER.read('inspect-exited') as object), Name: '/main' })(request, response);
      else json({ message: 'No such container' }, 404)(request, response);
    };
    const removal = runtime.containers.remove('main').then(() => 'removed');
    await eventually('it is removed', async () => {
      clock.advance(100);
      return (await Promise.race([removal, new Promise(setImmediate)])) === 'removed';
    });
    expect(looks).toBe(3);
  });

  it('looks at bind sources itself where the engine would make them', async () => {
    server.answer = hang;
    const podman = createDriver(podmanDialect, { endpoint: server.endpoint, timers: clock, installed: () => true });
    const source = `${server.path}.missing`;
    const mounts = [{ role: 'workspace', type: 'bind', source, target: '/project', readOnly: false }] as const;
    expect(await failureOf(podman.containers.create({ ...DOCKER.spec, mounts }))).toMatchObject({
      failure: { cause: 'MountRejected', slots: { path: source } },
    });
    expect(server.requests).toEqual([]);
  });
});
