import { mkdir, rmdir } from 'node:fs/promises';
import { SPEC_PARTS, type ContainerFacts, type ContainerSpec, type SpecPart } from '../../runtimes/runtime';
import { Corner, SWEEP_TIMEOUT_MS, eventually, failureOf, present, type EngineHarness } from '../helpers/engine';
import { describeChanges } from './changes';
import { describePausing } from './pausing';

/** What every engine must hold to, the fake one included. What only a kernel can show is in kernel.ts. */
export function describeRuntimeContract(name: string, open: () => Promise<EngineHarness> | EngineHarness): void {
  describe(`${name} as a runtime`, () => {
    let corner: Corner;
    beforeAll(async () => {
      corner = new Corner(await open());
    });
    afterAll(() => corner.sweep(), SWEEP_TIMEOUT_MS);
    const here = (): Corner => corner;

    describeLifecycle(here);
    describeRoundTrip(here);
    describeRefusals(here);
    describeExecs(here);
    describeStores(here);
    describeChanges(here);
    describePausing(here);
  });
}

function describeLifecycle(here: () => Corner): void {
  it('reports a container that was never made as absent', async () => {
    expect(await here().runtime.containers.observe(here().name())).toEqual({ present: false });
  });

  it('finds a created container by name and by id, not running', async () => {
    const { runtime, labels } = here();
    const spec = here().spec();
    const id = await runtime.containers.create(spec);
    const byName = await present(runtime, spec.name);
    expect(byName).toMatchObject({ id, name: spec.name, running: false, oomKilled: false });
    expect(byName.labels).toMatchObject(labels);
    expect(byName.startedAt).toBeUndefined();
    expect(await present(runtime, id)).toEqual(byName);
  });

  it('finds a container that somebody renamed by its id and its new name, and not by its old one', async () => {
    const { runtime, harness } = here();
    const spec = here().spec();
    const id = await runtime.containers.create(spec);
    await runtime.containers.start(id);
    const name = here().name();
    await harness.byHand(id, `rename?name=${name}`);
    expect(await present(runtime, id)).toMatchObject({ id, name, running: true, labels: spec.labels });
    expect(await present(runtime, name)).toEqual(await present(runtime, id));
    expect(await runtime.containers.observe(spec.name)).toEqual({ present: false });
    const other = await runtime.containers.create(spec);
    expect((await present(runtime, spec.name)).id).toBe(other);
    await runtime.containers.stop(id, { graceMs: 5_000 });
    expect(await present(runtime, id)).toMatchObject({ name, running: false });
    await runtime.containers.remove(id);
    expect(await runtime.containers.observe(name)).toEqual({ present: false });
    expect((await present(runtime, spec.name)).id).toBe(other);
  });

  it('starts a container once and calls a second start a success', async () => {
    const id = await here().run();
    const first = await present(here().runtime, id);
    expect(first.running).toBe(true);
    expect(Date.parse(first.startedAt ?? '')).not.toBeNaN();
    expect(first.exitCode).toBeUndefined();
    await here().runtime.containers.start(id);
    expect((await present(here().runtime, id)).startedAt).toBe(first.startedAt);
  });

  it('stops a container, says how it ended, and calls a second stop a success', async () => {
    const { containers } = here().runtime;
    const id = await here().run();
    await containers.stop(id, { graceMs: 5000 });
    expect(await present(here().runtime, id)).toMatchObject({ running: false, exitCode: 143 });
    await containers.stop(id, { graceMs: 5000 });
    await containers.start(id);
    expect((await present(here().runtime, id)).running).toBe(true);
  });

  it('calls stopping and removing what is not there a success, and starting it NotFound', async () => {
    const { containers } = here().runtime;
    const name = here().name();
    await containers.stop(name, { graceMs: 1000 });
    await containers.remove(name);
    expect(await failureOf(containers.start(name))).toMatchObject({
      code: 'NotFound',
      failure: { cause: 'SandboxStopped', slots: { name } },
    });
  });

  it('removes a running container and frees its name at once', async () => {
    const { runtime } = here();
    const spec = here().spec();
    await runtime.containers.start(await runtime.containers.create(spec));
    await runtime.containers.remove(spec.name);
    expect(await runtime.containers.observe(spec.name)).toEqual({ present: false });
    const again = await runtime.containers.create(spec);
    expect((await present(runtime, spec.name)).id).toBe(again);
  });

  it('lists by all the labels given, running or not', async () => {
    const { runtime, labels } = here();
    const special = { ...labels, 'dev.berth.name': here().name() };
    const stopped = await runtime.containers.create(here().spec({ labels: special }));
    const running = await here().run({ labels: special });
    const listed = await runtime.containers.list(special);
    expect(listed.map(({ id }) => id).toSorted()).toEqual([stopped, running].toSorted());
    for (const container of listed) expect(container).toEqual(await present(runtime, container.id));
    expect(await runtime.containers.list({ ...special, 'dev.berth.name': 'no-such' })).toEqual([]);
  });
}

function describeRoundTrip(here: () => Corner): void {
  const SECURITY = { noNewPrivileges: true, privileged: false };
  const cases: [string, SpecPart, () => Partial<ContainerSpec> | Promise<Partial<ContainerSpec>>][] = [
    ['command', 'command', () => ({ command: ['sh', '-c', 'exec sleep 60', 'two words'] })],
    ['environment', 'environment', () => ({ environment: { EMPTY: '', HOME: '/', QUOTED: 'a "b" $c', TERM: 'dumb' } })],
    ['absent limits', 'limits', () => ({ limits: {} })],
    ['limits', 'limits', () => ({ limits: { milliCpus: 1500, memoryBytes: 256 * 1024 ** 2, processes: 100 } })],
    ['mounts', 'mounts', async () => ({ mounts: await mounts(here()) })],
    ['no capability', 'security', () => ({ security: { ...SECURITY, capDrop: ['ALL'], capAdd: [] } })],
    ['some', 'security', () => ({ security: { ...SECURITY, capDrop: ['ALL'], capAdd: ['CHOWN', 'KILL'] } })],
    ['fewer', 'security', () => ({ security: { ...SECURITY, capDrop: ['CHOWN', 'KILL'], capAdd: [] } })],
    ['the default capabilities', 'security', () => ({ security: { ...SECURITY, capDrop: [], capAdd: [] } })],
    [
      'more privileges',
      'security',
      () => ({ security: { ...SECURITY, noNewPrivileges: false, capDrop: [], capAdd: [] } }),
    ],
    ['ports', 'ports', () => ({ ports: [{ hostAddress: '127.0.0.1', hostPort: 38_731, containerPort: 3000 }] })],
    ['restart always', 'restart', () => ({ restart: 'unless-stopped' })],
    ['never restart', 'restart', () => ({ restart: 'no' })],
    ['user', 'user', () => ({})],
    ['network', 'network', () => ({ network: 'none' })],
  ];

  it.each(cases)('echoes %s as asked for, or says that it does not', async (_title, part, parts) => {
    const { runtime, harness } = here();
    const spec = here().spec(await parts());
    const { notEchoed } = await runtime.probe();
    const created = await present(runtime, await runtime.containers.create(spec));
    const image = await runtime.images.find(harness.imageId);
    const expected = asFacts(spec, image?.environment ?? {});
    if (!notEchoed.includes(part)) expect(created.facts[part as keyof ContainerFacts]).toEqual(expected[part]);
    expect(created.facts.imageId).toBe(spec.imageId);
  });

  it('names no part twice among those it does not echo', async () => {
    const { notEchoed } = await here().runtime.probe();
    expect(SPEC_PARTS.filter((part) => notEchoed.includes(part))).toHaveLength(notEchoed.length);
  });

  it('says the same before and after a start', async () => {
    const { runtime } = here();
    const spec = here().spec({ environment: { ONE: '1' }, mounts: await mounts(here()), limits: { processes: 64 } });
    const id = await runtime.containers.create(spec);
    const before = await present(runtime, id);
    await runtime.containers.start(id);
    expect((await present(runtime, id)).facts).toEqual(before.facts);
  });
}

async function mounts(corner: Corner): Promise<ContainerSpec['mounts']> {
  const [a, b] = [await corner.directory(), await corner.directory()];
  const volume = corner.name();
  await corner.runtime.volumes.create(volume, corner.labels);
  return [
    { role: 'workspace', type: 'bind', source: a, target: '/a', readOnly: false },
    { role: 'share', type: 'bind', source: b, target: '/b', readOnly: true },
    { role: 'volume', type: 'volume', source: volume, target: '/cache', readOnly: false },
  ];
}

function asFacts(spec: ContainerSpec, imageEnvironment: Readonly<Record<string, string>>): Record<string, unknown> {
  return {
    ...spec,
    user: `${spec.user.uid}:${spec.user.gid}`,
    mounts: spec.mounts.map(({ type, source, target, readOnly }) => ({ type, source, target, readOnly })),
    environment: { ...imageEnvironment, ...spec.environment },
  };
}

function describeRefusals(here: () => Corner): void {
  it('refuses a taken name as a conflict and leaves its holder alone', async () => {
    const { containers } = here().runtime;
    const spec = here().spec();
    const id = await containers.create(spec);
    expect(await failureOf(containers.create(spec))).toMatchObject({ code: 'Conflict' });
    expect((await present(here().runtime, spec.name)).id).toBe(id);
  });

  it('refuses a bind source that does not exist, names it, and leaves nothing behind', async () => {
    const { containers } = here().runtime;
    const there = await here().directory();
    const mount = { role: 'workspace', type: 'bind', readOnly: false } as const;
    const spec = here().spec({
      mounts: [
        { ...mount, source: there, target: '/there' },
        { ...mount, source: `${there}-not`, target: '/missing' },
      ],
    });
    expect(await failureOf(containers.create(spec))).toMatchObject({
      code: 'InvalidSpec',
      failure: { cause: 'MountRejected', slots: { path: `${there}-not` } },
    });
    expect(await containers.observe(spec.name)).toEqual({ present: false });
  });

  it('refuses to start what lost a bind source, names it, and starts it once it is back', async () => {
    const { containers } = here().runtime;
    const source = await here().directory();
    const mount = { role: 'workspace', type: 'bind', source, target: '/project', readOnly: false } as const;
    const id = await containers.create(here().spec({ mounts: [mount] }));
    await rmdir(source);
    expect(await failureOf(containers.start(id))).toMatchObject({
      code: 'InvalidSpec',
      failure: { cause: 'MountRejected', slots: { path: source } },
    });
    expect(await present(here().runtime, id)).toMatchObject({ running: false });
    await mkdir(source);
    await containers.start(id);
    expect((await present(here().runtime, id)).running).toBe(true);
  });

  it('refuses an image that is not in its store, and names it', async () => {
    const imageId = `sha256:${'0'.repeat(64)}`;
    const spec = here().spec({ imageId });
    expect(await failureOf(here().runtime.containers.create(spec))).toMatchObject({
      code: 'NotFound',
      failure: { cause: 'ImageNotFound', slots: { reference: imageId } },
    });
    expect(await here().runtime.containers.observe(spec.name)).toEqual({ present: false });
  });

  it('ends a call whose signal has aborted with Timeout', async () => {
    const call = here().runtime.containers.observe('any', { signal: AbortSignal.abort() });
    expect(await failureOf(call)).toMatchObject({ code: 'Timeout', failure: { cause: 'Timeout' } });
  });
}

function describeExecs(here: () => Corner): void {
  it('answers with output, error output and exit code apart', async () => {
    const id = await here().run();
    const command = ['sh', '-c', 'printf out; printf err >&2; exit 3'];
    const { exitCode, stdout, stderr } = await here().runtime.execs.run(id, { command });
    expect({ exitCode, stdout: stdout.toString(), stderr: stderr.toString() }).toEqual({
      exitCode: 3,
      stdout: 'out',
      stderr: 'err',
    });
  });

  it('leaves a program that writes more than its caller takes', async () => {
    const id = await here().run();
    const command = ['sh', '-c', 'printf out; printf err >&2; exit 3'];
    const { execs } = here().runtime;
    expect(await failureOf(execs.run(id, { command, maxOutputBytes: 5 }))).toMatchObject({ code: 'Internal' });
    expect((await execs.run(id, { command, maxOutputBytes: 6 })).exitCode).toBe(3);
  });

  it('refuses to run in a container that is stopped or absent', async () => {
    const { runtime } = here();
    const spec = here().spec();
    await runtime.containers.create(spec);
    expect(await failureOf(runtime.execs.run(spec.name, { command: ['true'] }))).toMatchObject({
      code: 'Conflict',
      failure: { cause: 'SandboxStopped', slots: { name: spec.name } },
    });
    expect(await failureOf(runtime.execs.start(spec.name, { command: ['true'] }))).toMatchObject({ code: 'Conflict' });
    const absent = here().name();
    expect(await failureOf(runtime.execs.run(absent, { command: ['true'] }))).toMatchObject({
      code: 'NotFound',
      failure: { cause: 'SandboxStopped', slots: { name: absent } },
    });
  });
}

function describeStores(here: () => Corner): void {
  it('finds an image by id and says what it sets, and nothing for one that is not there', async () => {
    const { runtime, harness } = here();
    const image = await runtime.images.find(harness.imageId);
    expect(image).toMatchObject({ id: harness.imageId, environment: { LANG: 'C.UTF-8' } });
    expect(await runtime.images.find('localhost/berth/no-such-image:none')).toBeUndefined();
  });

  it('keeps a volume, lists it by its labels, and removes it', async () => {
    const { volumes } = here().runtime;
    const name = here().name();
    await volumes.create(name, here().labels);
    await volumes.create(name, here().labels);
    expect(await volumes.list(here().labels)).toContain(name);
    expect(await volumes.list({ 'dev.berth.instance': 'no-such' })).toEqual([]);
    await volumes.remove(name);
    await volumes.remove(name);
    expect(await volumes.list(here().labels)).not.toContain(name);
  });

  it('keeps a volume that a container still mounts', async () => {
    const { runtime, labels } = here();
    const source = here().name();
    await runtime.volumes.create(source, labels);
    const mount = { role: 'volume', type: 'volume', source, target: '/cache', readOnly: false } as const;
    const id = await runtime.containers.create(here().spec({ mounts: [mount] }));
    expect(await failureOf(runtime.volumes.remove(source))).toMatchObject({ code: 'Conflict' });
    await runtime.containers.remove(id);
    expect(await runtime.volumes.list(labels)).toContain(source);
    await eventually('the volume is free', () => runtime.volumes.remove(source).then(() => true));
  });
}
