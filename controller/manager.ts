import type { Kind } from '../crds/meta';
import type { Clock } from './clock';
import type { Hints } from './hints';
import { Informer } from './informer';
import type { Logger } from './log';
import type { ManifestSource } from './manifests/source';
import type { WorkQueue } from './queue';
import type { KeyMapper, Reconciler } from './reconcile';
import type { StoreChange, StoreReader } from './store';
import type { Tasks } from './tasks';
import { runWorker } from './worker';

export interface ManagerDeps {
  readonly store: StoreReader;
  readonly queue: WorkQueue;
  readonly manifests: Pick<ManifestSource, 'start' | 'close'>;
  readonly hints: Pick<Hints, 'start' | 'stop'>;
  readonly tasks: Tasks;
  readonly reconcilers: Readonly<Partial<Record<Kind, Reconciler>>>;
  readonly mappers: readonly KeyMapper[];
  readonly predicate?: (change: StoreChange) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keys worked on at once. Engines do one thing at a time well and several badly. */
const WORKERS = 4;

/** Longer than any single engine call's own deadline but a stop's grace and a removal together. */
const PASS_TIMEOUT_MS = 90_000;

/** Everything is looked at this often, whatever was heard: no event is needed for correctness. */
const RESYNC_MS = 5 * 60_000;

/** The order in which the controller comes up and goes down: nothing is decided before all manifests were read. */
export class Manager {
  readonly #deps: ManagerDeps;
  readonly #informer: Informer;
  readonly #stop = new AbortController();
  #workers: Promise<void>[] = [];
  #cancelResync: () => void = () => undefined;

  constructor(deps: ManagerDeps) {
    this.#deps = deps;
    this.#informer = new Informer(deps);
  }

  async start(): Promise<void> {
    const { queue, reconcilers, clock, log, manifests, hints } = this.#deps;
    await manifests.start();
    this.#informer.start();
    hints.start();
    const worker = { queue, reconcilers, clock, log, signal: this.#stop.signal, passTimeoutMs: PASS_TIMEOUT_MS };
    this.#workers = Array.from({ length: WORKERS }, async () => runWorker(worker));
    this.#scheduleResync();
  }

  resync(kind?: Kind): void {
    if (kind) this.#informer.resyncKind(kind);
    else this.#informer.resync();
  }

  /** Ends passes where they are: whatever they were at, the next start observes and decides again. */
  async stop(): Promise<void> {
    this.#cancelResync();
    this.#informer.stop();
    await this.#deps.manifests.close();
    this.#stop.abort(new Error('the controller is stopping'));
    this.#deps.queue.close();
    await this.#deps.hints.stop();
    this.#deps.tasks.close();
    await Promise.all(this.#workers);
  }

  #scheduleResync(): void {
    this.#cancelResync = this.#deps.clock.after(RESYNC_MS, () => {
      this.resync();
      this.#scheduleResync();
    });
  }
}
