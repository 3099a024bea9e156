import { homedir, userInfo } from 'node:os';
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { builtinDeclarations } from '../crds/builtin';
import type { Key, Kind } from '../crds/meta';
import { parseManifest } from '../crds/parse';
import { SETTINGS_NAME, type SettingsSpec } from '../crds/settings';
import { Homes } from '../host/homes';
import { makeDirectory } from '../host/make-directory';
import { DECLARED_KINDS, declaredReconciler } from '../reconcilers/declared';
import { projectReconciler, projectWatches } from '../reconcilers/project';
import { sandboxReconciler, sandboxWatches } from '../reconcilers/sandbox';
import { sessionReconciler, sessionWatches } from '../reconcilers/session';
import { exposureOf, rememberWritten } from '../reconcilers/shared/writable';
import { settingsReconciler, settingsWatches } from '../reconcilers/settings';
import { instanceSelector, LABELS } from '../runtimes/labels';
import { engineSockets } from '../runtimes/endpoints';
import { Engines, type EngineChoice } from '../runtimes/provider';
import type { ContainerHint, Runtime } from '../runtimes/runtime';
import { createRuntime } from '../runtimes/select';
import packageJson from '../package.json';
import { systemClock, type Clock } from './clock';
import { runDaemon } from './daemon';
import { EventRecorder } from './events';
import { Hints } from './hints';
import { resolveHome, type Home } from './home';
import type { Logger } from './log';
import { LogDestination, writeToStdout } from './log-destination';
import { Manager } from './manager';
import { ManifestPlaces } from './manifests/places';
import { warningsOf } from './manifests/scan';
import { ManifestScanner, type ScanOutcome } from './manifests/scanner';
import { ManifestSource } from './manifests/source';
import { protectedPaths } from './protected-paths';
import { WorkQueue } from './queue';
import type { Reconciler } from './reconcile';
import { openDatabase, readMeta, writeMeta } from './state/database';
import type { Db, StoreHealth } from './state/db';
import { instanceOf, isNew } from './state/instance';
import { sameJson } from './state/mutations';
import { SqliteObjectStore } from './state/object-store';
import type { StoreChange } from './store';
import { Tasks } from './tasks';

export interface ControllerOptions {
  readonly home: Home;
  readonly openRuntime: (choice: EngineChoice) => Runtime;
  /** Who the controller runs as. */
  readonly user: {
    readonly uid: number;
    readonly gid: number;
    readonly home: string;
    /** As the user database has it, should the environment say another. */
    readonly otherHomes?: readonly string[];
  };
  /** Where other controllers of this person may keep what is theirs. */
  readonly otherHomes?: readonly Home[];
  /** Sockets of engines: no project may hold one. */
  readonly engineSockets: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** For tests that prove nothing depends on it. */
  readonly predicate?: (change: StoreChange) => boolean;
}

/** A controller that is put together and not yet started. */
export interface Controller {
  readonly store: SqliteObjectStore;
  readonly events: EventRecorder;
  readonly queue: WorkQueue;
  readonly manager: Manager;
  readonly manifests: ManifestSource;
  readonly instance: string;
  readonly health: StoreHealth;
  close(): Promise<void>;
}

interface Parts extends ControllerOptions {
  readonly db: Db;
  readonly store: SqliteObjectStore;
  readonly events: EventRecorder;
  readonly queue: WorkQueue;
  readonly tasks: Tasks;
  readonly engines: Engines;
  readonly instance: string;
  /** What the last scan of the manifests found. */
  readonly scanned: { outcome: ScanOutcome | undefined };
  readonly places: ManifestPlaces;
}

const PLACES = 'manifestPlaces';

/** Puts a controller together on a home directory; the one place where all rooms meet. */
export function composeController(options: ControllerOptions): Controller {
  const { home, clock, log } = options;
  for (const directory of [home.data, home.state]) makeDirectory(directory);
  const db = openDatabase(`${home.state}/state.db`);
  if (isNew(db)) makeDirectory(home.manifests);
  const instance = instanceOf(db, home.data);
  const store = new SqliteObjectStore({ db, clock, newUid: randomUUID });
  rememberWritten(store, new Homes(home.data).places());
  const queue = new WorkQueue({ clock });
  const parts: Parts = {
    ...options,
    db,
    store,
    events: new EventRecorder({ db, clock }),
    queue,
    tasks: new Tasks(clock),
    engines: new Engines(options.openRuntime, () => {
      lookAtEngine(store, queue);
    }),
    instance,
    scanned: { outcome: undefined },
    places: new ManifestPlaces({
      read: () => readMeta(db, PLACES),
      write: (text) => {
        writeMeta(db, PLACES, text);
      },
    }),
  };
  const manifests = manifestSource(parts);
  const hints = engineHints(parts);
  const { tasks, events } = parts;
  const manager = new Manager({
    store,
    queue,
    manifests,
    hints,
    tasks,
    reconcilers: reconcilers(parts),
    mappers: [settingsWatches, sandboxWatches, sessionWatches, projectWatches],
    clock,
    log,
    ...(options.predicate ? { predicate: options.predicate } : {}),
  });
  renewOnOtherEngine(parts, hints);
  const close = async (): Promise<void> => {
    await manager.stop();
    db.close();
  };
  return { store, events, queue, manager, manifests, instance, health: db, close };
}

function manifestSource(parts: Parts): ManifestSource {
  const { home, store, clock, log, scanned, queue, places } = parts;
  return new ManifestSource({
    root: home.manifests,
    scanner: new ManifestScanner({
      root: home.manifests,
      parse: parseManifest,
      clock,
      exposure: (places) => exposureOf(places, store),
    }),
    store,
    builtIns: builtinDeclarations().map((declaration) => ({ declaration, line: 1, warnings: [] })),
    clock,
    log,
    onScan: (outcome) => {
      // Settings tell what is wrong with the manifests. Unchanged files are the same objects, so this costs little.
      const changed = !sameJson(outcome.scan, { ...scanned.outcome?.scan, quietSince: outcome.scan.quietSince });
      scanned.outcome = outcome;
      places.saw(outcome);
      if (changed) queue.add(SETTINGS);
    },
  });
}

const SETTINGS: Key = { kind: 'Settings', name: SETTINGS_NAME };
function reconcilers(parts: Parts): Partial<Record<Kind, Reconciler>> {
  const { store, events, engines, tasks, clock, user, home, instance, queue, scanned } = parts;
  const deps = { store, events, engines };
  const forbidden = protectedPaths({
    berths: [home, ...(parts.otherHomes ?? [])],
    homes: [user.home, ...(user.otherHomes ?? [])],
    engineSockets: () => [...parts.engineSockets, ...socketOf(choiceOf(store))],
    manifestPlaces: () => parts.places.all,
    clock,
  });
  const wake = (key: Key): void => {
    queue.add(key);
  };
  const sandbox = {
    person: user.home,
    protectedPaths: forbidden,
    tasks,
    homes: new Homes(home.data),
    clock,
    user,
    instance,
    wake,
    newNonce: randomUUID,
  };
  const manifests = () => ({
    path: home.manifests,
    readable: scanned.outcome?.scan.readable ?? false,
    files: scanned.outcome?.scan.files.length ?? 0,
    warnings: (scanned.outcome?.scan.files ?? []).flatMap(warningsOf),
  });
  return {
    Settings: settingsReconciler({ ...deps, manifests }),
    Project: projectReconciler({
      ...deps,
      home: user.home,
      manifests: home.manifests,
      protectedPaths: forbidden,
      clock,
    }),
    Sandbox: sandboxReconciler({ ...deps, ...sandbox }),
    Session: sessionReconciler({ ...deps, clock }),
    ...Object.fromEntries(DECLARED_KINDS.map((kind) => [kind, declaredReconciler(kind, deps)])),
  };
}

/** The socket that the settings name: it may lie anywhere. */
function socketOf({ endpoint }: EngineChoice): readonly string[] {
  return endpoint?.startsWith('unix://') ? [endpoint.slice('unix://'.length)] : [];
}

function choiceOf(store: SqliteObjectStore): EngineChoice {
  const settings = store.get(SETTINGS)?.spec as SettingsSpec | undefined;
  return settings?.runtime ?? { kind: 'Docker' };
}

/** The engine came or went: whatever goes by what it last answered is looked at. */
function lookAtEngine(store: SqliteObjectStore, queue: WorkQueue): void {
  queue.add(SETTINGS);
  for (const { metadata } of store.list('Sandbox')) queue.add({ kind: 'Sandbox', name: metadata.name });
}

/** Events of our containers on the chosen engine; when it goes away, everything on it is looked at again. */
function engineHints({ store, queue, engines, instance, clock, log }: Parts): Hints {
  return new Hints({
    clock,
    log,
    subscribe: async (signal) => {
      const { runtime } = await engines.connect(choiceOf(store), { signal });
      try {
        return keysOf(await runtime.changes(instanceSelector(instance), signal));
      } catch (error) {
        engines.forget(runtime);
        throw error;
      }
    },
    onSubscribed: () => {
      lookAtEngine(store, queue);
    },
    onHint: (key) => {
      queue.add(key);
    },
    onLost: () => {
      engines.forgetAll();
      lookAtEngine(store, queue);
    },
  });
}

async function* keysOf(hints: AsyncIterable<ContainerHint>): AsyncIterable<Key> {
  for await (const { labels } of hints) {
    const name = labels[LABELS.name];
    if (name !== undefined) yield { kind: 'Sandbox', name };
  }
}

function renewOnOtherEngine({ store }: Parts, hints: Hints): void {
  let known = JSON.stringify(choiceOf(store));
  store.subscribe(({ object }) => {
    if (object.kind !== 'Settings') return;
    const choice = JSON.stringify(choiceOf(store));
    if (choice !== known) hints.renew();
    known = choice;
  });
}

/** The program `dist/controller.cjs`: a controller on the home that the environment names, until it is told to stop. */
export async function main(): Promise<void> {
  process.umask(0o077);
  const { env } = process;
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const home = resolveHome(env);
  const log = pino({ level: env['BERTH_LOG_LEVEL'] ?? 'info' }, new LogDestination(writeToStdout(), systemClock));
  const compose = (): Controller =>
    composeController({
      home,
      openRuntime: (choice) => createRuntime({ ...choice, env, uid, clock: systemClock }),
      user: { uid, gid, home: env['HOME'] ?? homedir(), otherHomes: [userInfo().homedir] },
      otherHomes: [resolveHome({ ...env, BERTH_HOME: '' })],
      engineSockets: engineSockets({ env, uid }),
      clock: systemClock,
      log,
    });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  await runDaemon({ home, compose, clock: systemClock, log, version: packageJson.version, signal: stop.signal });
}
