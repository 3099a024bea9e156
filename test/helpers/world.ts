import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeController, type Controller } from '../../controller/main';
import { resolveHome } from '../../controller/home';
import { silentLog } from '../../controller/log';
import type { StoreChange } from '../../controller/store';
import { findCondition, type Condition } from '../../crds/conditions';
import type { Kind, Resource } from '../../crds/meta';
import { FakeEngine, fakeRuntime, type FakeContainer } from '../../runtimes/fake';
import type { EngineProbe } from '../../runtimes/runtime';
import { FakeClock } from './fake-clock';
import { Life, type Distort } from './fake-life';
import { checkConditions } from './check-conditions';
import { playSessions } from './fake-sessions';

export interface WorldOptions {
  readonly predicate?: (change: StoreChange) => boolean;
  /** Told of every change that a controller has stored, at once. */
  readonly onStored?: (change: StoreChange) => void;
  readonly probe?: Partial<EngineProbe>;
  /** What becomes of an engine's events on their way. */
  readonly distort?: Distort;
  /** How far the engine's clock is from the controller's, in milliseconds. */
  readonly engineAheadMs?: number;
}

/** Real milliseconds in which a controller that is given no more time of its own must come to rest. */
const REST_MS = 3_000;

/** A person's machine: a home, projects, manifests and an engine with memory, on which controllers come and go. */
export class World {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-world-')));
  readonly clock = new FakeClock();
  readonly engine: FakeEngine;
  /** Engines of other kinds than the usual one, by the kind that Settings call them. */
  readonly others = new Map<string, FakeEngine>();
  readonly #options: WorldOptions;
  #controller: Controller | undefined;
  #life: Life | undefined;
  #started = false;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.engine = this.#newEngine(options.probe);
    mkdirSync(this.manifests, { recursive: true });
  }

  /** Puts an engine of another kind on the machine. */
  addEngine(kind: 'Docker' | 'Podman'): FakeEngine {
    const engine = this.#newEngine({ kind, endpoint: `${kind}:` });
    this.others.set(kind, engine);
    return engine;
  }

  get manifests(): string {
    return join(this.root, 'berth/manifests');
  }

  get controller(): Controller {
    if (!this.#controller) throw new Error('no controller runs');
    return this.#controller;
  }

  /** Makes a directory of the person's and returns its path. */
  directory(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.manifests, name), text);
    this.#look();
  }

  remove(name: string): void {
    rmSync(join(this.manifests, name), { force: true, recursive: true });
    this.#look();
  }

  /** Starts a controller on what is there; `settle` lets it work. */
  async start(): Promise<void> {
    const home = resolveHome({ BERTH_HOME: join(this.root, 'berth') });
    const life = new Life(home.state, this.#options.distort);
    this.#life = life;
    this.#controller = composeController({
      home,
      openRuntime: ({ kind }) => life.link(fakeRuntime(this.others.get(kind) ?? this.engine)),
      user: { uid: 1234, gid: 1234, home: this.root },
      engineSockets: [join(this.root, 'engine/docker.sock')],
      clock: this.clock,
      log: silentLog,
      ...(this.#options.predicate ? { predicate: this.#options.predicate } : {}),
    });
    this.controller.store.subscribe((change) => this.#options.onStored?.(change));
    await this.during(this.controller.manager.start());
    this.#started = true;
  }

  async stop(): Promise<void> {
    const controller = this.#controller;
    this.#controller = undefined;
    this.#started = false;
    await controller?.close();
  }

  /** From here on the controller is gone: nothing that it would still do counts. Usable in the middle of its work. */
  die(): void {
    this.#life?.die();
  }

  get dead(): boolean {
    return this.#life?.alive === false;
  }

  /** The controller is gone from one moment to the next, and a new one is started on what it left. */
  async crash(): Promise<void> {
    this.die();
    await this.stop();
    this.#life?.bury();
    await this.start();
  }

  /** Time goes by in small steps until nothing is left to do at once, then the statuses are checked. */
  async settle(forMs = 500, stepMs = 20): Promise<void> {
    for (let passed = 0; passed < forMs; passed += stepMs) await this.#tick(stepMs);
    if (this.dead) return;
    for (const object of this.objects()) checkConditions(object);
  }

  /** What `ctl restart` asks for. */
  restart(kind: Kind, name: string): void {
    const restartedAt = new Date(this.clock.now()).toISOString();
    this.controller.store.annotate({ kind, name }, { 'berth.dev/restartedAt': restartedAt });
  }

  /** Lets time go by while something is waited for. */
  async during(work: Promise<unknown>): Promise<void> {
    const progress = { done: false };
    const finish = (): void => {
      progress.done = true;
    };
    work.then(finish, finish);
    while (!progress.done) await this.#tick(20);
    await work;
  }

  object<Spec = unknown, Status = unknown>(kind: Kind, name: string): Resource<Spec, Status> {
    const object = this.controller.store.get({ kind, name });
    if (!object) throw new Error(`there is no ${kind}/${name}`);
    return object as Resource<Spec, Status>;
  }

  objects(): readonly Resource[] {
    const kinds: Kind[] = ['Settings', 'Project', 'SandboxTemplate', 'Sandbox', 'Session', 'CredentialShare'];
    return kinds.flatMap((kind) => this.controller.store.list(kind));
  }

  condition(kind: Kind, name: string, type: string): Pick<Condition, 'status' | 'reason' | 'message'> | undefined {
    const { conditions } = this.object<unknown, { conditions?: Condition[] }>(kind, name).status ?? {};
    return findCondition(conditions, type);
  }

  /** `True Ready`, as a test reads it best. */
  said(kind: Kind, name: string, type = 'Ready'): string {
    const condition = this.condition(kind, name, type);
    return condition ? `${condition.status} ${condition.reason}` : 'absent';
  }

  containers(): readonly FakeContainer[] {
    return [...this.engine.containers.values()];
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Events of the file system come in real time, which stories have none of to lose. */
  #look(): void {
    if (this.#started) void this.#controller?.manifests.scan();
  }

  #newEngine(probe?: Partial<EngineProbe>): FakeEngine {
    const ahead = this.#options.engineAheadMs ?? 0;
    const engine = new FakeEngine({ now: () => this.clock.now() + ahead, ...(probe ? { probe } : {}) });
    engine.addImage('localhost/berth/sandbox:dev');
    engine.script = playSessions;
    return engine;
  }

  async #tick(byMs: number): Promise<void> {
    this.clock.advance(byMs);
    const deadline = Date.now() + REST_MS;
    do {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#busy()) return;
    } while (Date.now() < deadline);
    if (this.#started && !this.dead) throw new Error('the controller does not come to rest');
  }

  #busy(): boolean {
    const controller = this.#controller;
    return controller !== undefined && (controller.manifests.busy || (this.#started && this.#works(controller)));
  }

  /** Where each worker that has a key waits for a program which does not end, only time can help. */
  #works({ queue }: Controller): boolean {
    const { hanging } = this.engine;
    return hanging === 0 ? !queue.idle : queue.working > hanging;
  }
}
