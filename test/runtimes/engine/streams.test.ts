import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { dockerDialect } from '../../../runtimes/docker/dialect';
import { mapEvent } from '../../../runtimes/engine/changes';
import { Demuxer } from '../../../runtimes/engine/demux';
import { createDriver } from '../../../runtimes/engine/driver';
import { withTag } from '../../../runtimes/engine/images';
import { jsonLines } from '../../../runtimes/engine/json-lines';
import type { PullProgress, Runtime } from '../../../runtimes/runtime';
import { eventually, failureOf } from '../../helpers/engine';
import { RECORDED } from '../../helpers/engine-fixtures';
import { EngineServer, json, type Answer } from '../../helpers/engine-server';
import { FakeClock } from '../../helpers/fake-clock';

describe('a multiplexed stream', () => {
  const frame = fc.record({ stderr: fc.boolean(), data: fc.uint8Array({ maxLength: 40 }) });

  it('comes apart byte for byte, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), fc.array(fc.nat(30)), (frames, cuts) => {
        const whole = Buffer.concat(
          frames.flatMap(({ stderr, data }) => {
            const header = Buffer.from([stderr ? 2 : 1, 0, 0, 0, 0, 0, 0, 0]);
            header.writeUInt32BE(data.length, 4);
            return [header, data];
          }),
        );
        const demuxer = new Demuxer();
        let at = 0;
        for (const cut of [...cuts, whole.length]) {
          demuxer.push(whole.subarray(at, at + cut));
          at = Math.min(whole.length, at + cut);
        }
        const of = (wanted: boolean): Buffer =>
          Buffer.concat(frames.filter(({ stderr }) => stderr === wanted).map(({ data }) => data));
        expect(demuxer.result()).toEqual({ stdout: of(false), stderr: of(true) });
      }),
    );
  });
});

describe('lines of JSON', () => {
  async function read(chunks: readonly Buffer[]): Promise<unknown[]> {
    const seen: unknown[] = [];
    for await (const value of jsonLines(Readable.from(chunks, { objectMode: false }))) seen.push(value);
    return seen;
  }

  it('come whole, however the bytes are cut, characters of several bytes included', async () => {
    const bytes = Buffer.from('{"a":"ä€"}\r\n\n{"b":1}');
    for (let at = 1; at < bytes.length; at += 1) {
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([{ a: 'ä€' }, { b: 1 }]);
    }
  });

  it('leave out what is no JSON', async () => {
    expect(await read([Buffer.from('{"a":1}\n<html>\n{"b":2}\n{"cut')])).toEqual([{ a: 1 }, { b: 2 }]);
  });
});

describe.each(RECORDED)('events of $name', ({ read }) => {
  it('are hints only where a container as such changed', () => {
    const events = read('events') as { Action: string }[];
    const hinted = events.filter((event) => mapEvent(event) !== undefined).map(({ Action }) => Action);
    expect(new Set(hinted)).toEqual(new Set(hinted.filter((action) => !action.startsWith('exec'))));
    for (const action of ['create', 'start', 'die']) expect(hinted).toContain(action);
    expect(hinted.some((action) => action === 'destroy' || action === 'remove')).toBe(true);
    expect(events.some(({ Action }) => Action.startsWith('exec'))).toBe(true);
  });

  it('carry the name and the labels', () => {
    const [created] = read('events') as unknown[];
    const hint = mapEvent(created);
    expect(hint).toMatchObject({ name: 'berth-fixture', labels: { 'dev.berth.owner': 'berth' } });
    expect(hint?.labels).not.toHaveProperty('name');
    expect(hint?.labels).not.toHaveProperty('image');
  });
});

describe('streams of an engine', () => {
  let server: EngineServer;
  let runtime: Runtime;
  beforeEach(async () => {
    server = await EngineServer.listen();
    const options = { endpoint: server.endpoint, timers: new FakeClock(), installed: () => true };
    runtime = createDriver(dockerDialect, options);
  });
  afterEach(() => server.close());

  const lines =
    (...events: readonly object[]): Answer =>
    (_request, response) => {
      response.writeHead(200);
      response.end(events.map((event) => JSON.stringify(event)).join('\n'));
    };

  it('report a pull layer by layer, as the bytes of all known layers', async () => {
    const layer = (id: string, current: number, total: number): object => ({
      id,
      status: 'Downloading',
      progressDetail: { current, total },
    });
    const done = { id: 'a', status: 'Download complete', progressDetail: {} };
    server.answer = lines({ status: 'Pulling' }, layer('a', 10, 100), layer('b', 5, 50), done, { status: 'Done' });
    const seen: PullProgress[] = [];
    await runtime.images.pull('localhost/a', { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { currentBytes: 10, totalBytes: 100 },
      { currentBytes: 15, totalBytes: 150 },
      { currentBytes: 105, totalBytes: 150 },
    ]);
    expect(server.requests[0]).toMatch(/^POST \/images\/create\?.*tag=latest/);
  });

  it.each([
    ['manifest for localhost/a:1 not found: manifest unknown', 'NotFound', 'ImageNotFound'],
    ['toomanyrequests: slow down', 'Internal', 'ImagePullFailed'],
    ['write /layer: no space left on device', 'Internal', 'ImagePullFailed'],
  ])('fail a pull by the line %j behind a good status', async (message, code, cause) => {
    server.answer = lines({ status: 'Pulling' }, { error: message, errorDetail: { message } });
    expect(await failureOf(runtime.images.pull('localhost/a:1'))).toMatchObject({
      code,
      failure: { cause, slots: { reference: 'localhost/a:1' } },
    });
  });

  it('name what an archive brought', async () => {
    const archive = `${server.path}.tar`;
    await writeFile(archive, 'archive');
    const id = `sha256:${'1'.repeat(64)}`;
    server.answer = (request, response) => {
      const answer = lines({ stream: 'Loaded image: localhost/a:1\n' }, { stream: `Loaded image ID: ${id}\n` });
      request.resume().on('end', () => {
        answer(request, response);
      });
    };
    expect(await runtime.images.load(archive)).toEqual(['localhost/a:1', id]);
    expect(await failureOf(runtime.images.load(`${archive}.none`))).toMatchObject({
      code: 'InvalidSpec',
      failure: { cause: 'ImagePullFailed', slots: { reference: `${archive}.none` } },
    });
  });

  it('are not waited for where the archive is a pipe or a device', async () => {
    const pipe = `${server.path}.pipe`;
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, '/dev/zero', '/']) {
      expect((await failureOf(runtime.images.load(path))).detail).toContain('is no regular file');
    }
    rmSync(pipe);
  });

  /** Follows until the stream is over; `seen` has the names that came before. */
  async function follow(signal: AbortSignal, seen: string[]): Promise<void> {
    for await (const hint of await runtime.changes({ a: 'b' }, signal)) seen.push(hint.name);
  }

  const event = (labels: object): object => ({
    Type: 'container',
    Action: 'start',
    Actor: { Attributes: { name: 'main', ...labels } },
  });

  const openStream: Answer = (_request, response) => {
    response.writeHead(200);
    response.write(`${JSON.stringify(event({ a: 'c' }))}\n${JSON.stringify(event({ a: 'b' }))}\n`);
  };

  it.each([true, false])('are hung up on when a program writes without end (terminal: %p)', async (tty) => {
    const frame = Buffer.alloc(8 + 4_096);
    frame[0] = 1;
    frame.writeUInt32BE(4_096, 4);
    let written = 0;
    server.answer = (request, response) => {
      if (request.url?.endsWith('/exec') === true) {
        json({ Id: 'e1' }, 201)(request, response);
        return;
      }
      response.writeHead(200, { 'Content-Type': 'application/vnd.docker.raw-stream' });
      const more = (): void => {
        while (!response.destroyed && response.write(frame)) written += frame.length;
      };
      response.on('drain', more);
      more();
    };
    const run = runtime.execs.run('main', { command: ['yes'], tty, maxOutputBytes: 65_536 });
    expect(await failureOf(run)).toMatchObject({
      code: 'Internal',
      detail: expect.stringContaining('65536') as string,
    });
    await eventually('no connection is left', async () => (await server.connections()) === 0);
    expect(written).toBeLessThan(8_000_000);
  });

  it('throw to who follows changes when the engine dies', async () => {
    server.answer = openStream;
    const seen: string[] = [];
    const following = failureOf(follow(new AbortController().signal, seen));
    await eventually('a hint comes', () => seen.length > 0);
    server.die();
    expect(await following).toMatchObject({ code: 'Unavailable', failure: { cause: 'NotRunning' } });
    expect(seen).toEqual(['main']);
  });

  it('end when the follower stops, and leave no connection', async () => {
    server.answer = openStream;
    const stop = new AbortController();
    const seen: string[] = [];
    const following = follow(stop.signal, seen);
    await eventually('a hint comes', () => seen.length > 0);
    stop.abort();
    await following;
    await eventually('no connection is left', async () => (await server.connections()) === 0);
  });
});

describe('a reference to pull', () => {
  it.each([
    ['localhost/a', 'localhost/a:latest'],
    ['localhost:5000/a', 'localhost:5000/a:latest'],
    ['localhost:5000/a:1', 'localhost:5000/a:1'],
    ['localhost/a@sha256:1', 'localhost/a@sha256:1'],
  ])('%s means %s and never every tag', (reference, expected) => {
    expect(withTag(reference)).toBe(expected);
  });
});
