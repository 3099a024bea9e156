import { containerNotFound, timedOut, tooMuchOutput } from '../errors';
import { MAX_OUTPUT_BYTES, type EngineProbe, type ExecRequest, type ExecResult, type ImageState } from '../runtime';
import type { FakeContainer } from './container';
import { Faults, type Effect, type Query } from './faults';
import { HintQueue } from './hint-queue';

/** What a scripted program answers; left out = exit 0 and no output. */
export interface ExecAnswer {
  readonly exitCode?: number;
  readonly stdout?: string | Buffer;
  readonly stderr?: string | Buffer;
}

/** Plays the programs inside: it may read and change `container.processes`. */
export type ExecScript = (container: FakeContainer, request: ExecRequest) => ExecAnswer | undefined;

export interface FakeEngineOptions {
  /** Milliseconds since the epoch; the default is a clock of its own that goes on a millisecond a look. */
  readonly now?: () => number;
  /** Whether a bind source is there, asked at create and at start. The default says yes. */
  readonly sourceExists?: (path: string) => boolean;
  readonly probe?: Partial<EngineProbe>;
}

const ENFORCED = { enforced: true } as const;
const DEFAULT_PROBE: EngineProbe = {
  kind: 'Fake',
  version: '1.0.0',
  apiVersion: '1.0',
  endpoint: 'fake:',
  rootless: false,
  cgroupVersion: '2',
  storageDriver: 'memory',
  identity: 'UidGid',
  limits: { cpus: ENFORCED, memory: ENFORCED, processes: ENFORCED, storage: ENFORCED },
  notEchoed: [],
};

/** An engine with memory: it outlives every `Runtime` that speaks to it, so a controller can be started anew on it. */
export class FakeEngine {
  readonly faults = new Faults();
  readonly containers = new Map<string, FakeContainer>();
  /** The local store, by reference. */
  readonly images = new Map<string, ImageState>();
  /** What a pull finds, by reference. */
  readonly registry = new Map<string, ImageState>();
  /** What a load finds, by archive path. */
  readonly archives = new Map<string, Readonly<Record<string, ImageState>>>();
  readonly volumes = new Map<string, Readonly<Record<string, string>>>();
  readonly sourceExists: (path: string) => boolean;
  probe: EngineProbe;
  script: ExecScript = () => undefined;
  /** While set, a pull that was begun brings its image only after this. */
  transfers: Promise<void> | undefined;
  readonly #now: () => number;
  readonly #subscribers = new Map<HintQueue, Readonly<Record<string, string>>>();
  readonly #log: Effect[] = [];
  #lastId = 0;
  #effects = 0;
  #hanging = 0;

  constructor(options: FakeEngineOptions = {}) {
    let ticks = Date.UTC(2030, 0, 1);
    this.#now = options.now ?? (() => ticks++);
    this.sourceExists = options.sourceExists ?? (() => true);
    this.probe = { ...DEFAULT_PROBE, ...options.probe };
  }

  /** How many calls were made that change what a person could see: everything but queries and `execs.run`. */
  writes(): number {
    return this.#log.length;
  }

  /** The names of those calls, in order. */
  writeLog(): readonly Effect[] {
    return [...this.#log];
  }

  addImage(reference: string, image: Partial<ImageState> = {}): ImageState {
    const state = { id: `sha256:${this.newId()}`, labels: {}, environment: {}, ...image };
    this.images.set(reference, state);
    return state;
  }

  find(ref: string): FakeContainer | undefined {
    return this.containers.get(ref) ?? [...this.containers.values()].find((container) => container.name === ref);
  }

  /** Like `find`, for tests and for calls that need it. */
  container(ref: string): FakeContainer {
    const found = this.find(ref);
    if (!found) throw containerNotFound(ref, `No such container: ${ref}`);
    return found;
  }

  /** A container ends by itself or by someone else's hand. */
  exit(ref: string, how: { exitCode?: number; oomKilled?: boolean } = {}): void {
    const container = this.container(ref);
    container.end(how.exitCode ?? 137, how.oomKilled);
    this.emit(container);
  }

  /** Someone else makes a container stand still, or lets it go on. */
  pause(ref: string, paused = true): void {
    const container = this.container(ref);
    container.paused = paused && container.running;
    this.emit(container);
  }

  /** Someone else gives a container another name. */
  rename(ref: string, name: string): void {
    const container = this.container(ref);
    container.name = name;
    this.emit(container);
  }

  /** Someone else removes a container. */
  disappear(ref: string): void {
    const container = this.container(ref);
    this.containers.delete(container.id);
    this.emit(container);
  }

  /** The daemon dies: nothing is answered, subscribers learn of it. Undo with `faults.unavailable = false`. */
  die(): void {
    this.faults.unavailable = true;
    for (const queue of this.#subscribers.keys()) queue.break();
    this.#subscribers.clear();
  }

  newId(): string {
    this.#lastId += 1;
    return this.#lastId.toString(16).padStart(64, '0');
  }

  timestamp(): string {
    return new Date(this.#now()).toISOString();
  }

  async query<T>(method: Query, signal: AbortSignal | undefined, answer: () => T): Promise<T> {
    await Promise.resolve();
    this.faults.check(method, signal);
    return answer();
  }

  async effect<T>(effect: Effect, signal: AbortSignal | undefined, act: () => T): Promise<T> {
    await Promise.resolve();
    this.faults.check(effect, signal);
    this.#effects += 1;
    const n = this.#effects;
    this.faults.beforeEffect?.(effect, n);
    if (effect !== 'execs.run') this.#log.push(effect);
    const result = act();
    this.faults.afterEffect?.(effect, n);
    return result;
  }

  run(container: FakeContainer, request: ExecRequest): ExecResult {
    const answer = this.script(container, request) ?? {};
    const { maxOutputBytes = MAX_OUTPUT_BYTES } = request;
    const stdout = Buffer.from(answer.stdout ?? '');
    const stderr = Buffer.from(answer.stderr ?? '');
    if (stdout.length + stderr.length > maxOutputBytes) throw tooMuchOutput(maxOutputBytes);
    return { exitCode: answer.exitCode ?? 0, stdout, stderr };
  }

  /** What a program that never ends is waited for: only the signal does that. */
  async hang(what: string, signal: AbortSignal | undefined): Promise<never> {
    this.#hanging += 1;
    try {
      await new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener(
          'abort',
          () => {
            resolve();
          },
          { once: true },
        );
      });
    } finally {
      this.#hanging -= 1;
    }
    throw timedOut(what, signal?.reason);
  }

  /** How many calls wait for a program that does not end. */
  get hanging(): number {
    return this.#hanging;
  }

  emit(container: FakeContainer): void {
    if (this.faults.loseEvents) return;
    for (const [queue, labels] of this.#subscribers) {
      if (container.hasLabels(labels)) queue.push({ name: container.name, labels: container.spec.labels });
    }
  }

  subscribe(labels: Readonly<Record<string, string>>, signal: AbortSignal): HintQueue {
    const queue = new HintQueue(signal);
    this.#subscribers.set(queue, labels);
    signal.addEventListener('abort', () => this.#subscribers.delete(queue), { once: true });
    return queue;
  }
}
