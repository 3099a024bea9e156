import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { createClient, type ApiClient } from '../../controller/api/client';
import { CONTROLLER_NODE_FLAGS, type Home } from '../../controller/home';

/** A controller in a process of its own, for as long as a measurement takes. */
export class BenchDaemon {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly api: ApiClient;

  private constructor(child: ChildProcess, home: Home) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout ?? process.stdin });
    this.api = createClient({ socketPath: home.socket, warn: () => undefined });
  }

  static async start(program: string, home: Home): Promise<BenchDaemon> {
    const env = { ...process.env, BERTH_HOME: home.root };
    const child = spawn(process.execPath, [...CONTROLLER_NODE_FLAGS, program], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const daemon = new BenchDaemon(child, home);
    await until(async () => (await daemon.get<{ ready: boolean }>('/berth/status')).ready);
    return daemon;
  }

  async get<Body>(path: string): Promise<Body> {
    return this.api.send<Body>({ path });
  }

  /** Resident memory in bytes, as the kernel counts it. */
  residentBytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid ?? 0}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** Asks the program for one measurement and resolves to the line it prints. */
  async ask<Answer>(signal: NodeJS.Signals): Promise<Answer> {
    const line = new Promise<string>((resolve) => this.#lines.once('line', resolve));
    this.#child.kill(signal);
    return JSON.parse(await line) as Answer;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** Waits for a condition, looking every few milliseconds; a minute is enough for anything measured here. */
export async function until(holds: () => Promise<boolean>, everyMs = 5): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (await holds().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error('it did not come true within a minute');
}
