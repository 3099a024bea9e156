import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEndpoint } from '../../runtimes/engine/endpoint';
import { candidates, engineSockets, isInstalled, socketState, type SocketState } from '../../runtimes/endpoints';
import { RuntimeError } from '../../runtimes/errors';
import { createRuntime } from '../../runtimes/select';
import { FakeClock } from '../helpers/fake-clock';

const HOME = '/home/ann';
const env = { HOME, XDG_RUNTIME_DIR: '/run/user/1000' };
const clock = new FakeClock();

function choose(kind: string, sockets: Readonly<Record<string, SocketState>>, more: object = {}): string {
  const look = (path: string): SocketState => sockets[path] ?? 'absent';
  return createRuntime({ kind, env, uid: 1000, clock, look, ...more }).endpoint;
}

function failure(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof RuntimeError ? { ...error.failure, detail: error.detail, code: error.code } : error;
  }
}

describe('the engine', () => {
  const SYSTEM = '/var/run/docker.sock';
  const ROOTLESS = '/run/user/1000/docker.sock';
  const PODMAN = '/run/user/1000/podman/podman.sock';

  it('is the one that Settings name, before all else', () => {
    const more = { endpoint: 'unix:///mine.sock', env: { ...env, DOCKER_HOST: 'unix:///other.sock' } };
    expect(choose('Docker', { [SYSTEM]: 'usable' }, more)).toBe('unix:///mine.sock');
  });

  it.each([
    ['Docker', 'DOCKER_HOST'],
    ['Podman', 'CONTAINER_HOST'],
  ])('of kind %s is the one that %s names, whether it is there or not', (kind, name) => {
    const more = { env: { ...env, [name]: 'unix:///other.sock' } };
    expect(choose(kind, { [SYSTEM]: 'usable', [PODMAN]: 'usable' }, more)).toBe('unix:///other.sock');
  });

  it("is the system's Docker before one's own, unless only that may be used", () => {
    expect(choose('Docker', { [SYSTEM]: 'usable', [ROOTLESS]: 'usable' })).toBe(`unix://${SYSTEM}`);
    expect(choose('Docker', { [SYSTEM]: 'denied', [ROOTLESS]: 'usable' })).toBe(`unix://${ROOTLESS}`);
  });

  it("is one's own Podman, and the system's for root alone", () => {
    const sockets = { [PODMAN]: 'usable', '/run/podman/podman.sock': 'usable' } as const;
    expect(choose('Podman', sockets)).toBe(`unix://${PODMAN}`);
    expect(choose('Podman', { '/run/podman/podman.sock': 'usable' }, { uid: 0 })).toBe(
      'unix:///run/podman/podman.sock',
    );
    expect(failure(() => choose('Podman', { '/run/podman/podman.sock': 'usable' }))).toMatchObject({
      cause: 'NotInstalled',
    });
  });

  it('is looked for below /run/user when the environment names no runtime directory', () => {
    const more = { env: { HOME }, uid: 7 };
    expect(choose('Podman', { '/run/user/7/podman/podman.sock': 'usable' }, more)).toContain('/run/user/7/');
  });

  it('that is nowhere is not installed, and all that was tried is said', () => {
    expect(failure(() => choose('Docker', {}))).toMatchObject({
      code: 'Unavailable',
      cause: 'NotInstalled',
      slots: { runtime: 'Docker', endpoint: expect.stringContaining(`unix://${ROOTLESS}`) as string },
      detail: expect.stringContaining(`unix://${SYSTEM} (the system) is not there`) as string,
    });
  });

  it('that is closed to this user is a matter of permission', () => {
    expect(failure(() => choose('Docker', { [SYSTEM]: 'denied' }))).toMatchObject({
      cause: 'PermissionDenied',
      slots: { endpoint: `unix://${SYSTEM}` },
    });
  });

  it('of a kind without a driver is refused', () => {
    expect(failure(() => choose('AppleContainer', {}))).toMatchObject({ code: 'InvalidSpec' });
  });

  it('has sockets that may be mounted nowhere, each named once', () => {
    const sockets = engineSockets({ env: { ...env, DOCKER_HOST: 'unix:///mine.sock' }, uid: 0 });
    expect(sockets).toEqual(
      expect.arrayContaining(['/mine.sock', SYSTEM, ROOTLESS, PODMAN, '/run/podman/podman.sock']),
    );
    expect(new Set(sockets).size).toBe(sockets.length);
  });

  it('is never guessed from a variable that is empty', () => {
    expect(candidates('Docker', { env: { DOCKER_HOST: '' }, uid: 1 }).filter(({ named }) => named)).toEqual([]);
  });
});

describe('what is on this machine', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'berth-select-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('tells an engine whose program is in PATH from one that is not', async () => {
    const bin = join(directory, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'docker'), '', { mode: 0o755 });
    await writeFile(join(bin, 'podman'), '', { mode: 0o644 });
    const PATH = `/nowhere::${bin}`;
    expect(isInstalled('docker', { PATH })).toBe(true);
    expect(isInstalled('podman', { PATH })).toBe(false);
    expect(isInstalled('docker', {})).toBe(false);
    expect(failure(() => choose('Docker', {}, { env: { ...env, PATH } }))).toMatchObject({ cause: 'NotRunning' });
  });

  it('tells a socket that is there from one that is not', async () => {
    const path = join(directory, 'a.sock');
    expect(socketState(path)).toBe('absent');
    await writeFile(path, '');
    expect(socketState(path)).toBe('usable');
  });
});

describe('an endpoint', () => {
  it.each([
    ['unix:///run/docker.sock', { type: 'unix', path: '/run/docker.sock' }],
    ['/run/docker.sock', { type: 'unix', path: '/run/docker.sock' }],
    ['unix:///run/a%20b.sock', { type: 'unix', path: '/run/a b.sock' }],
    ['tcp://127.0.0.1:2376', { type: 'tcp', host: '127.0.0.1', port: 2376 }],
    ['tcp://localhost', { type: 'tcp', host: 'localhost', port: 2375 }],
  ])('%s is read', (text, expected) => {
    expect(parseEndpoint(text)).toEqual(expected);
  });

  it.each(['', 'docker.sock', 'unix://', 'ssh://host', 'npipe:////./pipe/docker', 'tcp://'])(
    '%j is refused',
    (text) => {
      expect(() => parseEndpoint(text)).toThrow(RuntimeError);
    },
  );
});
