import { compareVersions, describeEngine, type ProbeReplies } from '../../../runtimes/engine/probe';
import { LIMITS } from '../../../runtimes/runtime';
import { DOCKER, PODMAN, type Recorded } from '../../helpers/engine-fixtures';

function replies({ read, dialect }: Recorded): ProbeReplies {
  const libpod = dialect.libpod ? (read('libpod-info') as object) : undefined;
  return { version: read('version') as object, info: read('info') as object, libpod };
}

function probe(engine: Recorded, change: Partial<ProbeReplies> = {}): ReturnType<typeof describeEngine> {
  return describeEngine(engine.dialect, 'unix:///x', { ...replies(engine), ...change });
}

describe('a probe', () => {
  it('of Docker finds limits enforced, the person mapped by uid, and everything echoed', () => {
    expect(probe(DOCKER)).toMatchObject({
      kind: 'Docker',
      version: '20.10.24+dfsg1',
      apiVersion: '1.41',
      rootless: false,
      cgroupVersion: '1',
      storageDriver: 'overlay2',
      identity: 'UidGid',
      notEchoed: [],
      limits: { cpus: { enforced: true }, memory: { enforced: true }, processes: { enforced: true } },
    });
  });

  it('of rootless Podman on cgroup version 1 finds no limit enforced, whatever its info claims', () => {
    expect(replies(PODMAN).info.MemoryLimit).toBe(true);
    const found = probe(PODMAN);
    expect(found).toMatchObject({ kind: 'Podman', rootless: true, cgroupVersion: '1', identity: 'KeepId' });
    expect(LIMITS.filter((limit) => found.limits[limit].enforced)).toEqual([]);
    expect(found.notEchoed).toContain('limits');
  });

  it('of rootless Podman on cgroup version 2 goes by the delegated controllers', () => {
    const { host } = replies(PODMAN).libpod ?? {};
    const libpod = { host: { ...host, cgroupVersion: 'v2', cgroupControllers: ['memory', 'pids'] } };
    const found = probe(PODMAN, { libpod });
    expect(LIMITS.filter((limit) => found.limits[limit].enforced)).toEqual(['memory', 'processes']);
    expect(found.limits.cpus).toMatchObject({ reason: expect.stringContaining('cpu') as string });
  });

  it('of rootful Podman passes the person by uid', () => {
    const { host } = replies(PODMAN).libpod ?? {};
    const libpod = { host: { ...host, security: { rootless: false } } };
    expect(probe(PODMAN, { libpod })).toMatchObject({ rootless: false, identity: 'UidGid' });
  });

  it('of rootless Docker makes the person root inside', () => {
    const info = { ...replies(DOCKER).info, SecurityOptions: ['name=seccomp,profile=default', 'name=rootless'] };
    expect(probe(DOCKER, { info })).toMatchObject({ rootless: true, identity: 'ContainerRoot' });
  });

  it('refuses Docker with remapped users, saying why', () => {
    const info = { ...replies(DOCKER).info, SecurityOptions: ['name=userns'] };
    expect(() => probe(DOCKER, { info })).toThrow(/userns-remap/);
  });

  it.each([
    ['MemoryLimit', 'memory'],
    ['PidsLimit', 'processes'],
    ['CpuCfsQuota', 'cpus'],
  ] as const)('of a Docker without %s finds %s not enforced, with a reason', (field, limit) => {
    const info = { ...replies(DOCKER).info, [field]: false };
    expect(probe(DOCKER, { info }).limits[limit]).toEqual({ enforced: false, reason: expect.any(String) as string });
  });

  it('of a Docker that cannot limit swap finds memory bounded in part, which is not the same as not at all', () => {
    const info = { ...replies(DOCKER).info, SwapLimit: false };
    expect(probe(DOCKER, { info }).limits.memory).toMatchObject({ enforced: false, partly: true });
  });

  it.each([
    ['btrfs', true],
    ['zfs', true],
    ['overlay2', false],
    ['overlayfs', false],
    ['vfs', false],
    ['', false],
  ])('with the storage driver %j calls the storage limit enforced: %s', (Driver, enforced) => {
    const { storage } = probe(DOCKER, { info: { ...replies(DOCKER).info, Driver } }).limits;
    expect(storage.enforced).toBe(enforced);
    if (!storage.enforced) expect(storage.reason).not.toBe('');
  });

  it.each([
    [DOCKER, '19.03.15'],
    [PODMAN, '3.4.4'],
  ])('refuses an engine that is too old, with both versions', (engine, old) => {
    const version = { ...replies(engine).version, Version: old };
    const { kind: runtime, minimumVersion: minimum } = engine.dialect;
    expect(() => probe(engine, { version })).toThrow(
      expect.objectContaining({
        code: 'Unavailable',
        failure: { cause: 'VersionTooOld', slots: { runtime, version: old, minimum } },
      }) as Error,
    );
  });

  it('refuses the other engine at the endpoint', () => {
    expect(() => probe(DOCKER, { version: replies(PODMAN).version })).toThrow(/is Podman, not Docker/);
    expect(() => probe(PODMAN, { version: replies(DOCKER).version })).toThrow(/is Docker, not Podman/);
  });

  it('survives an info that says nothing', () => {
    const found = probe(DOCKER, { info: {} });
    expect(LIMITS.filter((limit) => found.limits[limit].enforced)).toEqual([]);
    expect(found).toMatchObject({ cgroupVersion: 'Unknown', storageDriver: '' });
  });
});

describe('versions', () => {
  it.each([
    ['20.10.24+dfsg1', '20.10', 0],
    ['20.9.1', '20.10', -1],
    ['27.0.0-rc.1', '20.10', 7],
    ['4.3.1', '4.0', 3],
    ['v5', '4.0', 1],
    ['', '4.0', -4],
  ])('%s compares with %s', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(sign));
  });
});
