import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ControllerStatus } from '../../controller/api/wire/types';
import { reasonOf } from '../../host/errno';
import { makeDirectory } from '../../host/make-directory';
import type { Context, ExitCode } from '../context';
import { delay } from '../delay';
import { findController } from './controller-status';

const POLL_MS = 50;

/** Opening the state store and the socket takes well under a second; a machine under load gets much more. */
const START_TIMEOUT_MS = 30_000;

const TAIL_LINES = 20;

/** `ctl controller run`: in the foreground, until it ends or is interrupted. */
export async function run({ program }: Context): Promise<ExitCode> {
  const child = spawn(program.command, program.args, { env: program.env, stdio: 'inherit' });
  // The terminal sends an interrupt to both; it is the controller's to end on it. Other signals reach us alone.
  const ignore = (): void => undefined;
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', ignore).on('SIGTERM', forward).on('SIGHUP', forward);
  try {
    return await new Promise<ExitCode>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        resolve(code ?? 1);
      });
    });
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward).off('SIGHUP', forward);
  }
}

/** `ctl controller start`: in the background; returns when the API answers, or with the log when it will not. */
export async function start(context: Context): Promise<ExitCode> {
  const running = await findController(context.client);
  if (running !== undefined) {
    context.stdout.line(`The controller is running already (pid ${running.pid}).`);
    return 0;
  }
  const launched = launch(context);
  const status = await firstAnswer(context, launched);
  if (status !== undefined) {
    context.stdout.line(`The controller is running (pid ${status.pid}).`);
    return 0;
  }
  const why = launched.ended() ? `ended at once (${launched.ended() ?? ''})` : `does not answer (pid ${launched.pid})`;
  context.stderr.line(`error: the controller ${why}; the end of ${launched.logFile}:`);
  context.stderr.write(launched.tail());
  return 1;
}

interface Launched {
  readonly pid: number;
  readonly logFile: string;
  /** How it ended, in words; undefined while it runs. */
  readonly ended: () => string | undefined;
  /** The last lines that it wrote itself, not those of runs before it. */
  readonly tail: () => string;
}

function launch({ home, program }: Context): Launched {
  makeDirectory(home.state);
  const logFile = path.join(home.state, 'controller.log');
  const log = openLog(logFile);
  const before = fstatSync(log).size;
  // From "/", so that the controller keeps no directory of the person's busy.
  const options = {
    env: program.env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log] as ['ignore', number, number],
  };
  const child = spawn(program.command, program.args, options);
  closeSync(log);
  child.unref();
  const tail = (): string => {
    const lines = readFileSync(logFile).subarray(before).toString('utf8').trimEnd().split('\n');
    return `${lines.slice(-TAIL_LINES).join('\n')}\n`;
  };
  return { pid: child.pid ?? 0, logFile, ended: watchEnd(child), tail };
}

function openLog(file: string): number {
  try {
    const log = openSync(file, 'a', 0o600);
    makeSureOfRoom(log);
    return log;
  } catch (error) {
    throw new Error(`the log ${file} can't be written: ${reasonOf(error)}`, { cause: error });
  }
}

const BLOCK_BYTES = 4096;

/** On a full disk a controller that doesn't start could not even leave word why. */
function makeSureOfRoom(log: number): void {
  const stats = fstatSync(log);
  if (!stats.isFile()) return;
  try {
    writeFileSync(log, Buffer.alloc(BLOCK_BYTES));
  } finally {
    ftruncateSync(log, stats.size);
  }
}

function watchEnd(child: ChildProcess): () => string | undefined {
  let end: string | undefined;
  child.on('error', (error) => {
    end = error.message;
  });
  child.on('exit', (code, signal) => {
    end = signal === null ? `exit code ${code ?? 'unknown'}` : signal;
  });
  return () => end;
}

async function firstAnswer(context: Context, { ended }: Launched): Promise<ControllerStatus | undefined> {
  const deadline = context.clock.now() + START_TIMEOUT_MS;
  while (context.clock.now() < deadline && ended() === undefined) {
    const status = await findController(context.client);
    if (status !== undefined) return status;
    await delay(context.clock, POLL_MS, context.signal);
  }
  return undefined;
}
