import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '../../controller/api/client';
import { createApi } from '../../controller/api/server';
import type { ControllerStatus } from '../../controller/api/wire/types';
import { systemClock } from '../../controller/clock';
import { type Home, resolveHome } from '../../controller/home';
import { silentLog } from '../../controller/log';
import { runCli } from '../../ctl/cli';
import type { Context } from '../../ctl/context';
import { createOutput, type Output } from '../../ctl/output';
import { MemoryEvents, NOW, STATUS } from '../controller/api/harness';
import { FakeClock } from '../helpers/fake-clock';
import { MemoryStore } from '../helpers/memory-store';

/** A stream whose text a test can read and wait for. */
export class Screen {
  text = '';
  readonly output: Output = createOutput({
    write: (chunk: string | Uint8Array) => {
      this.text += String(chunk);
      return true;
    },
  });

  async shows(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) await new Promise(setImmediate);
  }
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One home with an API over a memory store, and ctl run against it as a function. */
export class CtlHarness {
  readonly home: Home;
  readonly store = new MemoryStore();
  readonly events = new MemoryEvents();
  readonly clock = new FakeClock(NOW);
  readonly stdout = new Screen();
  readonly stderr = new Screen();
  readonly stop = new AbortController();
  #app: ReturnType<typeof createApi> | undefined;

  constructor() {
    this.home = resolveHome({ BERTH_HOME: mkdtempSync(path.join(os.tmpdir(), 'berth-ctl-')) });
    mkdirSync(this.home.run);
  }

  /** Starts, or starts again, the API on the home's socket. */
  async serve(status: Partial<ControllerStatus> = {}): Promise<void> {
    const { store, events, clock } = this;
    const all = (): ControllerStatus => ({ ...STATUS, ...status });
    this.#app = createApi({ store, events, clock, log: silentLog, version: '0.1.0', status: all });
    await this.#app.listen({ path: this.home.socket });
  }

  async stopServing(): Promise<void> {
    await this.#app?.close();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.stopServing();
    rmSync(this.home.root ?? '', { recursive: true, force: true });
  }

  context(overrides: Partial<Context> = {}): Context {
    const { home, clock, stdout, stderr, stop } = this;
    const warn = (text: string): void => {
      stderr.output.line(`Warning: ${text}`);
    };
    return {
      stdout: stdout.output,
      stderr: stderr.output,
      client: createClient({ socketPath: home.socket, warn }),
      clock,
      home,
      program: { command: process.execPath, args: [], env: {} },
      version: '0.1.0',
      signal: stop.signal,
      ...overrides,
    };
  }

  /** Runs one command line given as words; what it printed is in the answer alone. */
  async run(line: string, overrides: Partial<Context> = {}): Promise<Ran> {
    this.stdout.text = '';
    this.stderr.text = '';
    const code = await runCli(line.split(' '), this.context(overrides));
    return { code, stdout: this.stdout.text, stderr: this.stderr.text };
  }
}

/** For what starts and waits for real processes. */
export const realClock = { clock: systemClock };
