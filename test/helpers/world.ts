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
import { FakeClock } from './fake-clock';
import { checkConditions } from './check-conditions';
import { playSessions } from './fake-sessions';

export interface WorldOptions {
  readonly predicate?: (change: StoreChange) => boolean;
}

/** Real milliseconds in which a controller that is given no more time of its own must come to rest. */
const REST_MS = 3_000;

/** A person's machine: a home, projects, manifests and an engine with memory, on which controllers come and go. */
export class World {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-world-')));
  readonly clock = new FakeClock();
  readonly engine = new FakeEngine({ now: () => this.clock.now() });
  readonly #options: WorldOptions;
  #controller: Controller | undefined;
  #started = false;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.engine.addImage('localhost/berth/sandbox:dev');
    this.engine.script = playSessions;
    mkdirSync(this.manifests, { recursive: true });
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
  }

  remove(name: string): void {
    rmSync(join(this.manifests, name), { force: true, recursive: true });
  }

  /** Starts a controller on what is there; `settle` lets it work. */
  async start(): Promise<void> {
    this.#controller = composeController({
      home: resolveHome({ BERTH_HOME: join(this.root, 'berth') }),
      openRuntime: () => fakeRuntime(this.engine),
      user: { uid: 1234, gid: 1234, home: this.root },
      engineSockets: [join(this.root, 'engine/docker.sock')],
      clock: this.clock,
      log: silentLog,
      ...this.#options,
    });
    await this.during(this.controller.manager.start());
    this.#started = true;
  }

  async stop(): Promise<void> {
    const controller = this.#controller;
    this.#controller = undefined;
    this.#started = false;
    await controller?.close();
  }

  /** The controller is gone from one moment to the next: nothing it had in memory is written or ended well. */
  async crash(): Promise<void> {
    await this.stop();
  }

  /** Time goes by in small steps until nothing is left to do at once, then the statuses are checked. */
  async settle(forMs = 500): Promise<void> {
    for (let passed = 0; passed < forMs; passed += 20) await this.#tick(20);
    for (const object of this.objects()) checkConditions(object);
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

  async #tick(byMs: number): Promise<void> {
    this.clock.advance(byMs);
    const deadline = Date.now() + REST_MS;
    do {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#busy()) return;
    } while (Date.now() < deadline);
    if (this.#started) throw new Error('the controller does not come to rest');
  }

  #busy(): boolean {
    const controller = this.#controller;
    return controller !== undefined && (controller.manifests.busy || (this.#started && !controller.queue.idle));
  }
}
