import { existsSync } from 'node:fs';
import { RuntimeError } from '../../runtimes/errors';
import { FakeEngine, fakeRuntime, type Effect } from '../../runtimes/fake';
import { describeRuntimeContract } from '../contract/runtime';
import { Corner, failureOf, present, type EngineHarness } from '../helpers/engine';

function harness(engine = new FakeEngine({ sourceExists: existsSync })): EngineHarness & { engine: FakeEngine } {
  const image = engine.addImage('localhost/berth/sandbox:dev', { environment: { LANG: 'C.UTF-8' } });
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const byHand: EngineHarness['byHand'] = (id, what) => {
    const [, name] = what.split('=');
    if (name === undefined) engine.pause(id, what === 'pause');
    else engine.rename(id, name);
    return Promise.resolve();
  };
  return { engine, runtime: fakeRuntime(engine), imageId: image.id, user, identity: 'UidGid', byHand };
}

describeRuntimeContract('Fake', () => {
  const made = harness();
  made.engine.script = (_container, { command }) =>
    command.at(-1)?.startsWith('printf') ? { stdout: 'out', stderr: 'err', exitCode: 3 } : {};
  return made;
});

describe('the fake engine', () => {
  let engine: FakeEngine;
  let corner: Corner;
  beforeEach(() => {
    const made = harness();
    engine = made.engine;
    corner = new Corner(made);
  });
  afterEach(async () => {
    engine.faults.unavailable = false;
    engine.faults.beforeEffect = undefined;
    engine.faults.afterEffect = undefined;
    await corner.sweep();
  });

  it('keeps its containers when another runtime speaks to it', async () => {
    const id = await corner.run();
    expect(await fakeRuntime(engine).containers.observe(id)).toMatchObject({ present: true, running: true });
  });

  it('fails the next call of a method once, and changes nothing by it', async () => {
    const error = new RuntimeError({
      code: 'Internal',
      failure: { cause: 'Unknown', slots: {} },
      detail: 'disk is full',
    });
    engine.faults.failNext('containers.create', error);
    const spec = corner.spec();
    await expect(corner.runtime.containers.create(spec)).rejects.toBe(error);
    expect(await corner.runtime.containers.observe(spec.name)).toEqual({ present: false });
    await corner.runtime.containers.create(spec);
  });

  it('answers nothing while unavailable and has everything when it is back', async () => {
    const id = await corner.run();
    engine.faults.unavailable = true;
    expect(await failureOf(corner.runtime.containers.observe(id))).toMatchObject({ code: 'Unavailable' });
    expect(await failureOf(corner.runtime.probe())).toMatchObject({ failure: { cause: 'NotRunning' } });
    engine.faults.unavailable = false;
    expect((await present(corner.runtime, id)).running).toBe(true);
  });

  it('breaks event streams when it dies', async () => {
    const hints = await corner.runtime.changes({}, new AbortController().signal);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const hint of hints) seen.push(hint.name);
    })();
    engine.die();
    expect(await failureOf(reading)).toMatchObject({ code: 'Unavailable' });
  });

  it('lets a caller crash before an effect and after it', async () => {
    const spec = corner.spec();
    const crash = new Error('crash');
    engine.faults.beforeEffect = () => {
      throw crash;
    };
    await expect(corner.runtime.containers.create(spec)).rejects.toBe(crash);
    engine.faults.beforeEffect = undefined;
    expect(engine.containers.size).toBe(0);
    engine.faults.afterEffect = () => {
      throw crash;
    };
    await expect(corner.runtime.containers.create(spec)).rejects.toBe(crash);
    expect([...engine.containers.values()].map(({ name }) => name)).toEqual([spec.name]);
  });

  it('numbers effects in order', async () => {
    const seen: [Effect, number][] = [];
    engine.faults.beforeEffect = (effect, n) => seen.push([effect, n]);
    const id = await corner.run();
    await corner.runtime.execs.run(id, { command: ['true'] });
    expect(seen).toEqual([
      ['containers.create', 1],
      ['containers.start', 2],
      ['execs.run', 3],
    ]);
  });

  it('counts calls that change something, and neither looks nor runs', async () => {
    const id = await corner.run();
    await corner.runtime.containers.observe(id);
    await corner.runtime.execs.run(id, { command: ['true'] });
    await corner.runtime.probe();
    expect(engine.writes()).toBe(2);
    expect(engine.writeLog()).toEqual(['containers.create', 'containers.start']);
  });

  it('plays programs by script, and they end with their container', async () => {
    const id = await corner.run();
    const container = engine.container(id);
    engine.script = ({ processes }, { command }) =>
      command[0] === 'ps' ? { stdout: [...processes.values()].map(({ request }) => request.command[0]).join() } : {};
    await corner.runtime.execs.start(id, { command: ['agent'] });
    expect((await corner.runtime.execs.run(id, { command: ['ps'] })).stdout.toString()).toBe('agent');
    engine.exit(id, { exitCode: 137, oomKilled: true });
    expect(container.processes.size).toBe(0);
    expect(await present(corner.runtime, id)).toMatchObject({ running: false, exitCode: 137, oomKilled: true });
  });

  it('pulls what its registry has, with progress, and loads what its archives have', async () => {
    const image = { id: 'sha256:1', labels: {}, environment: {} };
    engine.registry.set('localhost/a:1', image);
    engine.archives.set('/a.tar', { 'localhost/b:1': image });
    const progress: number[] = [];
    await corner.runtime.images.pull('localhost/a:1', {
      onProgress: ({ currentBytes }) => progress.push(currentBytes),
    });
    expect(await corner.runtime.images.find('localhost/a:1')).toEqual(image);
    expect(progress).toEqual([1_000_000, 2_000_000]);
    expect(await corner.runtime.images.load('/a.tar')).toEqual(['localhost/b:1']);
    expect(await failureOf(corner.runtime.images.pull('localhost/none:1'))).toMatchObject({
      failure: { cause: 'ImageNotFound', slots: { reference: 'localhost/none:1' } },
    });
    expect(await failureOf(corner.runtime.images.load('/none.tar'))).toMatchObject({ code: 'InvalidSpec' });
  });
});
