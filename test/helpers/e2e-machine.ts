import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Condition } from '../../crds/conditions';
import { findCondition } from '../../crds/conditions';
import type { Resource } from '../../crds/meta';
import { openDatabase, readMeta } from '../../controller/state/database';
import { E2eEngine, type EngineName } from './e2e-engine';
import { install, person, run, type Ran } from './e2e-person';
import { eventually } from './engine';

/** How long a state may take to come: engines on a busy machine are slow, and a state that comes is not waited out. */
const PATIENCE_MS = 45_000;

/** What a test reads of an object; everything of a status may be missing. */
export interface Seen {
  readonly metadata: Resource['metadata'];
  readonly spec: Record<string, unknown>;
  readonly status?: Record<string, unknown> & { readonly conditions?: readonly Condition[] };
}

/**
 * A person's machine: an installation of the built programs, a home directory, and a controller's home that uses one
 * real engine. Everything that it starts is on record and ends with it.
 */
export class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'berth-e2e-'));
  readonly person = person();
  readonly home = join(this.root, 'home');
  readonly berth = join(this.home, 'berth');
  readonly engine: E2eEngine;
  readonly #pids = new Set<number>();
  #running = 0;

  constructor(name: EngineName, endpoint: string) {
    this.engine = new E2eEngine({ name, endpoint, person: this.person, env: this.env });
  }

  get env(): NodeJS.ProcessEnv {
    const { runtimeDir } = this.person;
    return { PATH: process.env.PATH, HOME: this.home, XDG_RUNTIME_DIR: runtimeDir, BERTH_HOME: this.berth };
  }

  /** Installs, and declares the engine. No controller runs yet. */
  async prepare(): Promise<void> {
    chmodSync(this.root, 0o755);
    await install(join(this.root, 'bin'));
    this.directory('home/work');
    this.declareEngine(this.engine.endpoint);
  }

  declareEngine(endpoint: string): void {
    const spec = `spec: {placement: Sandbox, runtime: {kind: ${this.engine.kind}, endpoint: "${endpoint}"}}`;
    this.manifest('settings', document('Settings', 'default', spec));
  }

  /** A directory of the person's, made when missing; the path is relative to the machine's root. */
  directory(path: string): string {
    const full = join(this.root, path);
    if (full === this.root) return full;
    this.directory(dirname(path));
    mkdirSync(full, { recursive: true });
    chownSync(full, this.person.uid, this.person.gid);
    return full;
  }

  /** A file of the person's; the path is relative to the machine's root. */
  file(path: string, text: string): void {
    const full = join(this.directory(dirname(path)), basename(path));
    writeFileSync(full, text);
    chownSync(full, this.person.uid, this.person.gid);
  }

  manifestPath(name: string): string {
    return join(this.berth, 'manifests', `${name}.yaml`);
  }

  /** Writes a manifest the way editors do that rewrite in place. */
  manifest(name: string, text: string): void {
    this.file(`home/berth/manifests/${name}.yaml`, text);
  }

  removeManifest(name: string): void {
    rmSync(this.manifestPath(name));
  }

  ctl(...args: readonly string[]): Promise<Ran> {
    return run([...this.person.become, join(this.root, 'bin/ctl'), ...args], { env: this.env });
  }

  /** The same, for commands that must succeed; the answer is what they print. */
  async ctlOk(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.ctl(...args);
    if (code !== 0) throw new Error(`ctl ${args.join(' ')} ends with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Waits until a command's error output is as awaited. */
  async says(pattern: RegExp, ...args: readonly string[]): Promise<void> {
    let said = '';
    const holds = async (): Promise<boolean> => pattern.test((said = (await this.ctl(...args)).stderr));
    await eventually('it', holds, PATIENCE_MS).catch(() => {
      throw new Error(`ctl ${args.join(' ')} never says ${String(pattern)}, but: ${said}`);
    });
  }

  /** The mark of this home on everything its controller makes. */
  instance(): string {
    const db = openDatabase(join(this.berth, 'state/state.db'));
    try {
      return readMeta(db, 'instance') ?? '';
    } finally {
      db.close();
    }
  }

  /** Ids of the containers that this home's controller made for a sandbox, or all of them, running or not. */
  containers(sandbox?: string): Promise<readonly string[]> {
    const labels = [`dev.berth.instance=${this.instance()}`];
    return this.engine.containers(...labels, ...(sandbox === undefined ? [] : [`dev.berth.name=${sandbox}`]));
  }

  /** Takes a manifest that `sandboxManifest` made away, and everything that it declared. */
  async retire(name: string): Promise<void> {
    this.removeManifest(name);
    const isMissed = (seen: Seen | undefined): boolean => !seen || shown(seen, 'Accepted').includes('ManifestMissing');
    for (const kind of ['sandbox', 'project']) {
      if ((await this.until(kind, name, isMissed)).metadata.uid) await this.ctl('delete', kind, name, '--yes');
      await this.until(kind, name, (seen) => seen === undefined);
    }
    expect(await this.containers(name)).toEqual([]);
  }

  /** Starts the controller in the background and returns its pid. */
  async start(): Promise<number> {
    const said = await this.ctlOk('controller', 'start');
    const pid = Number(/pid (\d+)/.exec(said)?.[1]);
    this.#pids.add(pid);
    this.#running = pid;
    return pid;
  }

  /** Of the controller that was started last. */
  get pid(): number {
    return this.#running;
  }

  async stop(): Promise<void> {
    await this.ctlOk('controller', 'stop');
  }

  /** Ends the controller without a word of warning, and returns when it is gone. */
  async kill(pid: number): Promise<void> {
    process.kill(pid, 'SIGKILL');
    await eventually(`process ${pid} ends`, () => !isAlive(pid));
  }

  async get(kind: string, name: string): Promise<Seen | undefined> {
    const { code, stdout } = await this.ctl('get', kind, name, '-o', 'json');
    return code === 0 ? (JSON.parse(stdout) as Seen) : undefined;
  }

  /** Waits until an object is as the test wants it, and returns it; undefined is one that does not exist. */
  async until(kind: string, name: string, holds: (seen: Seen | undefined) => boolean): Promise<Seen> {
    let seen: Seen | undefined;
    try {
      await eventually('it', async () => holds((seen = await this.get(kind, name))), PATIENCE_MS);
    } catch {
      const { stdout, stderr } = await this.ctl('describe', kind, name);
      throw new Error(`${kind} ${name} never is as awaited:\n${stdout}${stderr}`);
    }
    return seen ?? { metadata: {} as Resource['metadata'], spec: {} };
  }

  async condition(kind: string, name: string, wanted: string): Promise<Seen> {
    return this.until(kind, name, (seen) => shown(seen, wanted.split('=')[0] ?? '') === wanted);
  }

  ready(kind: string, name: string): Promise<Seen> {
    return this.until(kind, name, (seen) => conditionOf(seen, 'Ready')?.status === 'True');
  }

  /** Ends and removes everything of this machine, whatever state a failed test left it in. */
  async close(): Promise<void> {
    const { stdout } = await this.ctl('controller', 'status');
    const found = Number(/pid:?\s+(\d+)/i.exec(stdout)?.[1]);
    if (found > 0) this.#pids.add(found);
    for (const pid of this.#pids) if (this.#isOurs(pid)) process.kill(pid, 'SIGKILL');
    await this.engine.sweep(this.root);
    execFileSync('rm', ['-rf', this.root]);
  }

  /** A pid is used again: only a controller of this installation is ours. */
  #isOurs(pid: number): boolean {
    return commandOf(pid).includes(join(this.root, 'bin'));
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** A zombie has no command line any more: its parent, which is none of ours, has yet to look. */
function isAlive(pid: number): boolean {
  return commandOf(pid) !== '';
}

export function conditionOf(seen: Seen | undefined, type: string): Condition | undefined {
  return findCondition(seen?.status?.conditions, type);
}

/** A condition in one word, such as `UpToDate=False:MountsChanged`. */
export function shown(seen: Seen | undefined, type: string): string {
  const condition = conditionOf(seen, type);
  return `${type}=${condition?.status ?? 'absent'}:${condition?.reason ?? ''}`;
}

/** One YAML document; the rest is what follows the metadata. */
export function document(kind: string, name: string, rest: string): string {
  return `apiVersion: berth.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\n${rest}\n`;
}

/** A project's and a sandbox's manifest in one file, under one name; `more` is added to the sandbox's spec. */
export function sandboxManifest(machine: Machine, name: string, more = ''): string {
  const path = machine.directory(`home/work/${name}`);
  const project = document('Project', name, `spec: {path: "${path}"}`);
  return `${project}---\n${document('Sandbox', name, `spec: {projects: [${name}]${more}}`)}`;
}
