import { watch, type FSWatcher } from 'chokidar';
import type { ParsedDocument } from '../../crds/parse';
import type { Clock } from '../clock';
import type { Logger } from '../log';
import type { SqliteObjectStore } from '../state/object-store';
import { planManifests, type ManifestPlan } from './plan';
import { SETTLE_MS, type ManifestScanner, type ScanOutcome } from './scanner';

/** However quiet the file system is, the directory is read this often: an event may never have come. */
const RESCAN_MS = 5_000;

/** A file that never stops changing must not keep the controller from starting. */
const MOST_FIRST_LOOKS = 20;

/** The longest wait for a scan after an event; a burst of them makes one scan. */
const EVENT_MS = 5;

export interface ManifestSourceDeps {
  readonly root: string;
  readonly scanner: ManifestScanner;
  readonly store: SqliteObjectStore;
  readonly builtIns: readonly ParsedDocument[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Told after every scan: problems and protected paths may have changed. */
  readonly onScan: (outcome: ScanOutcome) => void;
}

/** Keeps the store in step with the watched directory. Events only say: look again. */
export class ManifestSource {
  readonly #deps: ManifestSourceDeps;
  #scansUnderWay = 0;
  #watcher: FSWatcher | undefined;
  #watched: ReadonlySet<string>;
  #timer: { readonly dueAt: number; readonly cancel: () => void } | undefined;
  #scanning: Promise<boolean> | undefined;
  #closed = false;

  constructor(deps: ManifestSourceDeps) {
    this.#deps = deps;
    this.#watched = new Set([deps.root]);
  }

  /** Resolves when every file that is there has been read and applied once. */
  async start(): Promise<void> {
    for (let looks = 0; looks < MOST_FIRST_LOOKS && (await this.scan()); looks += 1) {
      await new Promise<void>((resolve) => this.#deps.clock.after(SETTLE_MS, resolve));
    }
    this.#watch();
  }

  /** Reads the directory now and applies what it says, after a scan under way; resolves to whether a file is unsettled. */
  async scan(): Promise<boolean> {
    this.#scansUnderWay += 1;
    const scanning = (this.#scanning ?? Promise.resolve(false))
      .then(async () => this.#scanSafely())
      .finally(() => {
        this.#scansUnderWay -= 1;
      });
    this.#scanning = scanning;
    return scanning;
  }

  /** A scan goes on: what it finds is not in the store yet. */
  get busy(): boolean {
    return this.#scansUnderWay > 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#watcher?.close();
    await this.#scanning;
  }

  async #scanSafely(): Promise<boolean> {
    if (this.#closed) return false;
    this.#timer?.cancel();
    this.#timer = undefined;
    try {
      return await this.#scanOnce();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a scan of the manifest directory failed');
      this.#schedule(RESCAN_MS);
      return false;
    }
  }

  async #scanOnce(): Promise<boolean> {
    const outcome = await this.#deps.scanner.scan();
    const { store, builtIns, clock } = this.#deps;
    const plan = planManifests({ scan: outcome.scan, stored: store.stored(), builtIns, now: clock.now() });
    applyPlan(plan, store);
    this.#deps.onScan(outcome);
    if (outcome.scan.readable) this.#follow(outcome.directories);
    const again = plan.lookAgainAt === undefined ? RESCAN_MS : plan.lookAgainAt - clock.now();
    this.#schedule(Math.max(0, Math.min(again, outcome.settleInMs ?? RESCAN_MS)));
    return outcome.settleInMs !== undefined;
  }

  #watch(): void {
    const look = (): void => {
      this.#schedule(EVENT_MS);
    };
    // Each directory by itself, as the scans find them: left to itself it would follow a link to the whole disk.
    this.#watcher = watch([...this.#watched], { ignoreInitial: true, depth: 0 });
    this.#watcher.on('all', look).on('error', (error) => {
      this.#deps.log.warn({ err: error }, 'watching the manifest directory failed; it is still read at intervals');
    });
  }

  #follow(directories: readonly string[]): void {
    const before = this.#watched;
    this.#watched = new Set(directories);
    for (const path of before) if (!this.#watched.has(path)) this.#watcher?.unwatch(path);
    for (const path of directories) if (!before.has(path)) this.#watcher?.add(path);
  }

  #schedule(delayMs: number): void {
    if (this.#closed) return;
    const dueAt = this.#deps.clock.now() + delayMs;
    if (this.#timer && this.#timer.dueAt <= dueAt) return;
    this.#timer?.cancel();
    const cancel = this.#deps.clock.after(delayMs, () => {
      void this.scan();
    });
    this.#timer = { dueAt, cancel };
  }
}

function applyPlan(plan: ManifestPlan, store: SqliteObjectStore): void {
  store.setProblems(plan.problems);
  for (const { declaration, manifest } of plan.declare) store.declare(declaration, manifest);
  for (const { key, manifest } of plan.note) store.note(key, manifest);
}
