import { isatty } from 'node:tty';
import { createClient } from '../controller/api/client';
import { printable } from '../controller/api/wire/printable';
import { systemClock } from '../controller/clock';
import { CONTROLLER_NODE_FLAGS, type Home } from '../controller/home';
import type { Context, ExitCode } from './context';
import { createOutput, type Output } from './output';
import { standardError, standardOutput } from './streams';

/** What the process around us is. */
export interface Surroundings {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** The controller's program. */
  readonly script: string;
  readonly version: string;
  /** Ends the process at once. */
  readonly end: (code: ExitCode) => void;
}

/** Wires one run of ctl to the real terminal, socket and clock. */
export function contextOf({ home, env, script, version, end }: Surroundings): Context {
  const stderr = createOutput(standardError());
  const interactive = isatty(0) && isatty(2);
  return {
    stdout: createOutput(standardOutput({ stderr, end })),
    stderr,
    client: createClient({ socketPath: home.socket, warn: warnOnce(stderr) }),
    clock: systemClock,
    home,
    program: { command: process.execPath, args: [...CONTROLLER_NODE_FLAGS, script], env: withHome(env, home) },
    version,
    signal: new AbortController().signal,
    ...(interactive ? { confirm: ask } : {}),
  };
}

async function ask(question: string): Promise<boolean> {
  return (await import('./confirm')).confirm(question, process.stdin, process.stderr);
}

/** A relative BERTH_HOME would mean another place to a controller that starts in another directory. */
function withHome(env: NodeJS.ProcessEnv, { root }: Home): NodeJS.ProcessEnv {
  return root === undefined ? env : { ...env, BERTH_HOME: root };
}

/** Several requests of one command meet the same problems. */
function warnOnce(stderr: Output): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    stderr.line(`Warning: ${printable(text)}`);
  };
}
