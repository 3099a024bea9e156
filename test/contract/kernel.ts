import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount } from '../../runtimes/runtime';
import { Corner, SWEEP_TIMEOUT_MS, eventually, failureOf, present, type EngineHarness } from '../helpers/engine';

/** What only a kernel can show: asked inside containers, or seen on the host. For real engines. */
export function describeKernelContract(name: string, open: () => Promise<EngineHarness>): void {
  describe(`${name} inside its containers`, () => {
    let corner: Corner;
    beforeAll(async () => {
      corner = new Corner(await open());
    });
    afterAll(() => corner.sweep(), SWEEP_TIMEOUT_MS);
    const here = (): Corner => corner;

    describeFiles(here);
    describeConfinement(here);
    describeLimits(here);
    describeEndings(here);
    describePrograms(here);
  });
}

/** Runs a shell script inside; its output, which must come with exit code 0. */
async function sh(corner: Corner, id: string, script: string): Promise<string> {
  const { exitCode, stdout, stderr } = await corner.runtime.execs.run(id, { command: ['sh', '-c', script] });
  if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr.toString()}`);
  return stdout.toString().trim();
}

async function bind(corner: Corner, target: string, readOnly = false): Promise<Mount> {
  return { role: 'workspace', type: 'bind', source: await corner.directory(), target, readOnly };
}

function describeFiles(here: () => Corner): void {
  it('makes files that belong to the person', async () => {
    const mount = await bind(here(), '/project');
    const id = await here().run({ mounts: [mount], workdir: '/project' });
    expect(await sh(here(), id, 'pwd; mkdir sub && echo text >sub/file')).toBe('/project');
    const { uid, gid } = await stat(join(mount.source, 'sub/file'));
    expect({ uid, gid }).toEqual(here().harness.user);
    expect(await readFile(join(mount.source, 'sub/file'), 'utf8')).toBe('text\n');
  });

  it('has a HOME that the person can write to', async () => {
    const mount = await bind(here(), '/home/agent');
    const id = await here().run({ mounts: [mount], environment: { HOME: '/home/agent' } });
    expect(await sh(here(), id, 'cd && pwd && echo x >~/.profile && cat "$HOME/.profile"')).toBe('/home/agent\nx');
  });

  it('refuses writes to a mount that is read-only', async () => {
    const mount = await bind(here(), '/share', true);
    await writeFile(join(mount.source, 'file'), 'as it was');
    const id = await here().run({ mounts: [mount] });
    expect(await sh(here(), id, 'cat /share/file')).toBe('as it was');
    await expect(sh(here(), id, 'echo other >/share/file')).rejects.toThrow(/[Rr]ead-only/);
    await expect(sh(here(), id, 'touch /share/new')).rejects.toThrow(/[Rr]ead-only/);
    expect(await readFile(join(mount.source, 'file'), 'utf8')).toBe('as it was');
  });

  it('keeps what is in a volume when its container is made anew', async () => {
    const source = here().name();
    await here().runtime.volumes.create(source, here().labels);
    const mounts: Mount[] = [{ role: 'volume', type: 'volume', source, target: '/cache', readOnly: false }];
    // Whose a new volume is differs by engine: root with its capabilities can write to any.
    const security = { noNewPrivileges: true, privileged: false, capDrop: [], capAdd: [] };
    const first = await here().run({ mounts, security });
    await here().runtime.execs.run(first, { command: ['sh', '-c', 'echo kept >/cache/file'], user: '0' });
    await here().runtime.containers.remove(first);
    const second = await here().run({ mounts, security });
    const { stdout } = await here().runtime.execs.run(second, { command: ['cat', '/cache/file'], user: '0' });
    expect(stdout.toString()).toBe('kept\n');
  });
}

function describeConfinement(here: () => Corner): void {
  it('has no network but loopback, and no route', async () => {
    const id = await here().run();
    expect(await sh(here(), id, 'ls /sys/class/net')).toBe('lo');
    expect(await sh(here(), id, 'tail -n +2 /proc/net/route')).toBe('');
    await expect(sh(here(), id, 'exec 3<>/dev/tcp/198.51.100.1/80')).rejects.toThrow('exit');
  });

  it('runs without a capability, and programs can gain none', async () => {
    const id = await here().run();
    const status = await sh(here(), id, 'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status');
    const value = (key: string): string | undefined => new RegExp(`^${key}:\\s*(\\S+)`, 'm').exec(status)?.[1];
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(value(set)).toBe('0'.repeat(16));
    expect(value('NoNewPrivs')).toBe('1');
    expect(value('Seccomp')).toBe('2');
  });

  it('runs its programs, pid 1 among them, as the person', async () => {
    const id = await here().run();
    const { uid, gid } = here().harness.user;
    expect(await sh(here(), id, 'id -u; id -g; stat -c %u:%g /proc/1; cat /proc/1/comm')).toBe(
      `${uid}\n${gid}\n${uid}:${gid}\ntini`,
    );
  });
}

function describeLimits(here: () => Corner): void {
  it('holds the limits that it says it enforces', async () => {
    const { limits, cgroupVersion } = await here().runtime.probe();
    const id = await here().run({ limits: { milliCpus: 1500, memoryBytes: 256 * 1024 ** 2, processes: 100 } });
    const files =
      cgroupVersion === '1'
        ? { memory: 'memory/memory.limit_in_bytes', swap: 'memory/memory.memsw.limit_in_bytes', pids: 'pids/pids.max' }
        : { memory: 'memory.max', swap: 'memory.swap.max', pids: 'pids.max' };
    const read = (file: string): Promise<string> => sh(here(), id, `cat /sys/fs/cgroup/${file}`);
    if (limits.memory.enforced) {
      expect(await read(files.memory)).toBe(String(256 * 1024 ** 2));
      expect(await read(files.swap)).toBe(cgroupVersion === '1' ? String(256 * 1024 ** 2) : '0');
    }
    if (limits.processes.enforced) expect(await read(files.pids)).toBe('100');
    if (limits.cpus.enforced && cgroupVersion === '1') {
      const [quota, period] = [await read('cpu/cpu.cfs_quota_us'), await read('cpu/cpu.cfs_period_us')];
      expect(Number(quota) / Number(period)).toBe(1.5);
    }
    for (const support of Object.values(limits)) if (!support.enforced) expect(support.reason).not.toBe('');
  });

  it('lets no more processes run than allowed, where it enforces that', async () => {
    const { processes } = (await here().runtime.probe()).limits;
    const id = await here().run({ limits: { processes: 16 } });
    const script = 'i=0; while [ $i -lt 40 ]; do sleep 0.5 & i=$((i+1)); done; wait; echo all';
    const { stdout, stderr } = await here().runtime.execs.run(id, { command: ['sh', '-c', script] });
    const refused = /fork/i.test(stderr.toString()) && !stdout.includes('all');
    if (processes.enforced) expect(refused).toBe(true);
  });
}

/** A program that takes memory without end. */
const GREEDY = ['tail', '/dev/zero'];

function describeEndings(here: () => Corner): void {
  it('says that memory ran out, where it enforces the limit', async () => {
    const { memory } = (await here().runtime.probe()).limits;
    if (!memory.enforced) return;
    const id = await here().run({ command: GREEDY, limits: { memoryBytes: 64 * 1024 ** 2 } });
    await eventually('it ends', async () => !(await present(here().runtime, id)).running);
    const ended = await present(here().runtime, id);
    expect(ended).toMatchObject({ running: false, exitCode: 137 });
    // Podman tells only when its first process was the one.
    if (here().runtime.kind === 'Docker') expect(ended.oomKilled).toBe(true);
  });

  it('says with what a program ended by itself', async () => {
    const id = await here().run({ command: ['sh', '-c', 'exit 7'] });
    await eventually('it ends', async () => !(await present(here().runtime, id)).running);
    expect(await present(here().runtime, id)).toMatchObject({ exitCode: 7, oomKilled: false });
  });

  it('kills what does not end in the time given to it', async () => {
    const id = await here().run({
      command: ['sh', '-c', 'trap "" TERM; touch /tmp/deaf; while :; do sleep 0.1; done'],
    });
    await eventually('it is deaf', () => sh(here(), id, 'ls /tmp').then((files) => files.includes('deaf')));
    await here().runtime.containers.stop(id, { graceMs: 1000 });
    expect(await present(here().runtime, id)).toMatchObject({ running: false, exitCode: 137 });
  });

  it('refuses to start a program that is not in the image', async () => {
    const id = await here().runtime.containers.create(here().spec({ command: ['no-such-program'], workdir: '/' }));
    const failure = await failureOf(here().runtime.containers.start(id)).catch(() => undefined);
    await eventually('it does not run', async () => !(await present(here().runtime, id)).running);
    // The image's init may be what finds out, after the start.
    if (failure === undefined) expect((await present(here().runtime, id)).exitCode).toBe(127);
    else expect(failure.code).toBe('InvalidSpec');
  });
}

function describePrograms(here: () => Corner): void {
  it('gives output byte for byte', async () => {
    const mount = await bind(here(), '/data');
    const bytes = randomBytes(1024 ** 2);
    await writeFile(join(mount.source, 'bytes'), bytes, { mode: 0o644 });
    const id = await here().run({ mounts: [mount] });
    const { stdout, stderr, exitCode } = await here().runtime.execs.run(id, { command: ['cat', '/data/bytes'] });
    expect(exitCode).toBe(0);
    expect(stdout.equals(bytes)).toBe(true);
    expect(stderr).toHaveLength(0);
  });

  it('runs with the given environment, directory and user', async () => {
    const id = await here().run({ environment: { ONE: '1' } });
    const command = ['sh', '-c', 'echo "$ONE $TWO $(pwd) $(id -u)"'];
    const request = { command, environment: { TWO: 'a b' }, workdir: '/tmp', user: '0' };
    const { stdout } = await here().runtime.execs.run(id, request);
    expect(stdout.toString()).toBe('1 a b /tmp 0\n');
  });

  it.each([0, 1, 42, 255])('answers with exit code %i', async (code) => {
    const id = await here().run();
    const { exitCode } = await here().runtime.execs.run(id, { command: ['sh', '-c', `exit ${code}`] });
    expect(exitCode).toBe(code);
  });

  it('answers 127, and says why, for a program that is not there', async () => {
    const id = await here().run();
    const { exitCode, stdout, stderr } = await here().runtime.execs.run(id, { command: ['no-such-program'] });
    expect(exitCode).toBe(127);
    expect(stdout.toString()).toBe('');
    expect(stderr.toString()).toContain('no-such-program');
  });

  it('starts a process that lives on without its caller', async () => {
    const id = await here().run();
    await here().runtime.execs.start(id, { command: ['sleep', '4242'], environment: { MARK: 'here' } });
    const running = async (): Promise<boolean> => (await sh(here(), id, 'ps -eo args')).includes('sleep 4242');
    await eventually('the process runs', running);
    await expect(here().runtime.execs.start(id, { command: ['no-such-program'] })).rejects.toMatchObject({
      name: 'RuntimeError',
    });
    expect(await running()).toBe(true);
  });

  it('ends a run whose signal aborts with Timeout', async () => {
    const id = await here().run();
    const stop = new AbortController();
    const run = here().runtime.execs.run(id, { command: ['sleep', '60'] }, { signal: stop.signal });
    await eventually('it runs', async () => (await sh(here(), id, 'ps -eo args')).includes('sleep 60'));
    stop.abort();
    await expect(run).rejects.toMatchObject({ code: 'Timeout' });
  });
}
