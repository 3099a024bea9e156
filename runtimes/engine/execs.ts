import type Docker from 'dockerode';
import type { Readable } from 'node:stream';
import { tooMuchOutput } from '../errors';
import { MAX_OUTPUT_BYTES, type ExecApi, type ExecRequest, type ExecResult } from '../runtime';
import { DEADLINE_MS, type Call, type EngineClient } from './client';
import { Demuxer, type Demuxed } from './demux';

export function engineExecs(client: EngineClient): ExecApi {
  const about = (container: string): Call => ({
    operation: 'running a command in the container',
    container,
    deadlineMs: DEADLINE_MS.run,
  });
  return {
    run: (id, request, options) =>
      client.call({ ...about(id), ...options }, (signal) => run(client, id, request, signal)),
    start: (id, request, options) =>
      client.call({ ...about(id), ...options, deadlineMs: DEADLINE_MS.change }, (signal) =>
        startDetached(client, id, request, signal),
      ),
  };
}

async function run(client: EngineClient, id: string, request: ExecRequest, signal: AbortSignal): Promise<ExecResult> {
  const exec = await make(client, id, request, { attached: true, signal });
  // The upgrade is asked for always: some engines answer it with 101, some with 200, some refuse a plain request.
  const stream = await exec.start({ hijack: true, stdin: false, abortSignal: signal });
  const output = await collect(stream, request, signal);
  let ended: Docker.ExecInspectInfo | undefined;
  // The stream may end before the engine has noted how the process did.
  await client.until(signal, async () => {
    ended = await exec.inspect({ abortSignal: signal });
    return !ended.Running;
  });
  return withCode(output, ended?.ExitCode ?? 0);
}

async function startDetached(
  client: EngineClient,
  id: string,
  request: ExecRequest,
  abortSignal: AbortSignal,
): Promise<void> {
  const exec = await make(client, id, request, { attached: false, signal: abortSignal });
  const stream = await exec.start({ Detach: true, Tty: request.tty === true, abortSignal });
  stream.resume();
}

interface HowExec {
  readonly attached: boolean;
  readonly signal: AbortSignal;
}

async function make(client: EngineClient, id: string, request: ExecRequest, how: HowExec): Promise<Docker.Exec> {
  const { command, user, workdir, environment = {}, tty = false } = request;
  return client.docker.getContainer(id).exec({
    Cmd: [...command],
    Tty: tty,
    AttachStdout: how.attached,
    AttachStderr: how.attached,
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ...(user === undefined ? {} : { User: user }),
    ...(workdir === undefined ? {} : { WorkingDir: workdir }),
    abortSignal: how.signal,
  });
}

async function collect(
  stream: Readable,
  { tty = false, maxOutputBytes = MAX_OUTPUT_BYTES }: ExecRequest,
  signal: AbortSignal,
): Promise<Demuxed> {
  const destroy = (): void => {
    stream.destroy(new Error('aborted'));
  };
  signal.addEventListener('abort', destroy, { once: true });
  try {
    const demuxer = new Demuxer();
    const raw: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (tty) raw.push(chunk);
      else demuxer.push(chunk);
      bytes = tty ? bytes + chunk.length : demuxer.bytes;
      if (bytes > maxOutputBytes) throw tooMuchOutput(maxOutputBytes);
    }
    return tty ? { stdout: Buffer.concat(raw), stderr: Buffer.alloc(0) } : demuxer.result();
  } finally {
    signal.removeEventListener('abort', destroy);
    stream.destroy();
  }
}

const NOT_FOUND = 127;

/**
 * A program that is not there: the engines agree neither on the code (126, 127) nor on where they say so. The shell's
 * answer is 127, and words on the error output.
 */
function withCode({ stdout, stderr }: Demuxed, exitCode: number): ExecResult {
  const words = Buffer.concat([stdout, stderr]);
  const refused = exitCode === 126 || exitCode === NOT_FOUND;
  const missing = refused && /exec failed: .*(?:executable file not found|no such file)/.test(words.toString());
  return missing ? { exitCode: NOT_FOUND, stdout: Buffer.alloc(0), stderr: words } : { exitCode, stdout, stderr };
}
