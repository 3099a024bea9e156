import { fromEngine, type CallContext, type EngineIdentity } from '../../../runtimes/engine/errors';
import { pathIn, portIn } from '../../../runtimes/engine/error-slots';
import { RuntimeError } from '../../../runtimes/errors';
import { DOCKER, PODMAN, RECORDED, type Recorded } from '../../helpers/engine-fixtures';

const WORDS: Readonly<Record<string, [CallContext, object]>> = {
  nameTaken: [
    { operation: 'c', container: 'main', image: 'i' },
    { code: 'Conflict', failure: { cause: 'Unknown' } },
  ],
  imageMissing: [
    { operation: 'c', container: 'main', image: 'localhost/berth/none:1' },
    { code: 'NotFound', failure: { cause: 'ImageNotFound', slots: { reference: 'localhost/berth/none:1' } } },
  ],
  execStopped: [
    { operation: 'e', container: 'main' },
    { code: 'Conflict', failure: { cause: 'SandboxStopped', slots: { name: 'main' } } },
  ],
  startAbsent: [
    { operation: 's', container: 'main' },
    { code: 'NotFound', failure: { cause: 'SandboxStopped', slots: { name: 'main' } } },
  ],
  execAbsent: [
    { operation: 'e', container: 'main' },
    { code: 'NotFound', failure: { cause: 'SandboxStopped' } },
  ],
  execMissing: [
    { operation: 'e', container: 'main' },
    { code: 'InvalidSpec', failure: { cause: 'Unknown' } },
  ],
  commandMissing: [
    { operation: 's', container: 'main' },
    { code: 'InvalidSpec', failure: { cause: 'Unknown' } },
  ],
  volumeInUse: [
    { operation: 'v', volume: 'cache' },
    { code: 'Conflict', failure: { slots: { name: 'cache' } } },
  ],
  portTaken: [
    { operation: 's', container: 'main' },
    { code: 'Conflict', failure: { cause: 'PortUnavailable', slots: { port: '38741' } } },
  ],
  storageRefused: [
    { operation: 'c', container: 'main', image: 'i' },
    { code: 'InvalidSpec', failure: { cause: 'LimitRejected', slots: { limit: 'storage' } } },
  ],
  pullRefused: [
    { operation: 'p', image: 'a/b:1', pulling: true },
    { code: 'Internal', failure: { cause: 'ImagePullFailed', slots: { reference: 'a/b:1' } } },
  ],
};

function identity({ dialect }: Recorded, installed = true): EngineIdentity {
  return { dialect, endpoint: 'unix:///run/x.sock', installed: () => installed };
}

describe.each(RECORDED)('the words of $name', (engine) => {
  it.each(Object.entries(WORDS))('for %s are told apart', (title, [context, expected]) => {
    expect(engine.errors[title]).not.toBeNull();
    expect(fromEngine(engine.errors[title], context, identity(engine))).toMatchObject(expected);
  });

  it('for a missing bind source name its path', () => {
    const source = engine === PODMAN ? '/usr/share/berth-none' : '/usr/lib/berth-none';
    const context = { operation: 'c', container: 'main', image: 'i', sources: ['/usr', source, '/'] };
    expect(fromEngine(engine.errors.sourceMissing, context, identity(engine))).toMatchObject({
      code: 'InvalidSpec',
      failure: { cause: 'MountRejected', slots: { path: source } },
    });
  });

  it('are kept whole, without what dockerode puts before them', () => {
    const { detail } = fromEngine(engine.errors.portTaken, { operation: 's' }, identity(engine));
    expect(detail).not.toContain('HTTP code');
    expect(detail).toMatch(/address already in use$/);
  });

  it.each([
    ['ECONNREFUSED', true, 'NotRunning'],
    ['ENOENT', true, 'NotRunning'],
    ['ENOENT', false, 'NotInstalled'],
    ['EACCES', true, 'PermissionDenied'],
    ['ECONNRESET', true, 'NotRunning'],
  ])('are not needed for a socket that says %s (installed: %s)', (code, installed, cause) => {
    const error = Object.assign(new Error(`connect ${code} /run/x.sock`), { code });
    expect(fromEngine(error, { operation: 'o', container: 'main' }, identity(engine, installed))).toMatchObject({
      code: 'Unavailable',
      failure: { cause, slots: { runtime: engine.dialect.kind, endpoint: 'unix:///run/x.sock' } },
    });
  });
});

describe('an engine error', () => {
  const docker = identity(DOCKER);
  const spoken = (statusCode: number, message: string): object => ({ statusCode, message: '', json: { message } });

  it('about a limit names the limit', () => {
    const refused = (title: string): unknown => fromEngine(DOCKER.errors[title], { operation: 'c' }, docker);
    expect(refused('memoryTooSmall')).toMatchObject({
      failure: { cause: 'LimitRejected', slots: { limit: 'memory' } },
    });
    expect(refused('cpusTooMany')).toMatchObject({ failure: { cause: 'LimitRejected', slots: { limit: 'cpus' } } });
  });

  it('about permission inside a mount is not about permission to use the engine', () => {
    const context = { operation: 's', container: 'main', sources: ['/net/home'] };
    const error = spoken(500, 'error mounting "/net/home" to rootfs at "/project": permission denied');
    expect(fromEngine(error, context, docker)).toMatchObject({
      failure: { cause: 'MountRejected', slots: { path: '/net/home' } },
    });
  });

  it.each([
    [DOCKER, 409, 'Container main is paused, unpause the container before exec'],
    [DOCKER, 409, 'cannot start a paused container, try unpause instead'],
    [PODMAN, 409, 'cannot create exec session as container 0123 is paused'],
    [PODMAN, 500, 'can only stop created or running containers. 0123 is in state paused: container state improper'],
  ])('of $name about a paused container (%i, %s) is told from one about a stopped one', (engine, status, words) => {
    const error = fromEngine(spoken(status, words), { operation: 'e', container: 'main' }, identity(engine));
    expect(error).toMatchObject({ code: 'Paused', failure: { cause: 'Unknown', slots: { name: 'main' } } });
  });

  it('about missing subordinate ids is about permission', () => {
    const error = spoken(500, 'cannot set up namespace: No subuid ranges found for user "ann" in /etc/subuid');
    expect(fromEngine(error, { operation: 'c' }, identity(PODMAN))).toMatchObject({
      code: 'Unavailable',
      failure: { cause: 'PermissionDenied' },
    });
  });

  it('that nobody knows keeps its first line for people and all of it for diagnosis', () => {
    const error = fromEngine(spoken(500, 'first line\nsecond line'), { operation: 'c' }, docker);
    expect(error).toMatchObject({ code: 'Internal', failure: { cause: 'Unknown', slots: { detail: 'first line' } } });
    expect(error.detail).toBe('first line\nsecond line');
  });

  it('that is ours already stays as it is', () => {
    const ours = fromEngine(spoken(409, 'no'), { operation: 'c' }, docker);
    expect(ours).toBeInstanceOf(RuntimeError);
    expect(fromEngine(ours, { operation: 'c' }, docker)).toBe(ours);
  });

  it('keeps what it came from', () => {
    const error = new Error('boom');
    expect(fromEngine(error, { operation: 'c' }, docker).cause).toBe(error);
  });
});

describe('the path in a refusal', () => {
  it.each([
    ['stat /w/app2: no such file', ['/w/app', '/w/app2'], '/w/app2'],
    ['stat /w/app2: no such file', ['/w/app'], undefined],
    ['mkdir /w/app/sub: permission denied', ['/w', '/w/app'], '/w/app'],
    ['bind source path does not exist: /w/a b', ['/w/a b'], '/w/a b'],
    ['see /other/w/app', ['/w/app'], undefined],
    ['nothing here', ['/w/app'], undefined],
  ])('of %j among %j is %j', (text, candidates, expected) => {
    expect(pathIn(text, candidates)).toBe(expected);
  });
});

describe('the port in a refusal', () => {
  it.each([
    ['listen tcp4 127.0.0.1:38731: bind: address already in use', '38731'],
    ['Bind for 0.0.0.0:7727 failed: port is already allocated', '7727'],
    ['Failed to bind port (Address already in use) for 127.0.0.1/7727', '7727'],
    ['listen tcp [::1]:8080: bind: address already in use', '8080'],
    ['listen tcp 0.0.0.0:0: address already in use', undefined],
    ['address already in use', undefined],
  ])('of %j is %j', (text, expected) => {
    expect(portIn(text)).toBe(expected);
  });
});
