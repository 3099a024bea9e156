import Database from 'better-sqlite3';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type ApiClient } from '../../controller/api/client';
import type { ControllerStatus } from '../../controller/api/wire/types';
import { systemClock } from '../../controller/clock';
import { runDaemon } from '../../controller/daemon';
import { resolveHome, type Home } from '../../controller/home';
import { lockHome } from '../../controller/lock';
import { silentLog } from '../../controller/log';
import { composeController } from '../../controller/main';
import { FakeEngine, fakeRuntime } from '../../runtimes/fake';

async function answered(client: ApiClient): Promise<ControllerStatus> {
  for (;;) {
    const status = await client.send<ControllerStatus>({ path: '/berth/status' }).catch(() => undefined);
    if (status?.ready) return status;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Everything but the first page, which a reader finds once it has to read again. */
function damage(path: string): void {
  const db = new Database(path);
  db.exec("INSERT INTO meta VALUES ('read', 'again')");
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const pages = readFileSync(path);
  pages.fill(0x5a, 4096);
  writeFileSync(path, pages);
}

describe('runDaemon', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'berth-daemon-'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function run(home: Home, signal: AbortSignal): Promise<void> {
    const compose = () =>
      composeController({
        home,
        openRuntime: () => fakeRuntime(new FakeEngine()),
        user: { uid: 1234, gid: 1234, home: root },
        engineSockets: [],
        clock: systemClock,
        log: silentLog,
      });
    return runDaemon({ home, compose, clock: systemClock, log: silentLog, version: '1.2.3', signal });
  }

  it('serves its API on a socket that is its owner’s alone, until it is told to stop', async () => {
    const home = resolveHome({ BERTH_HOME: root });
    const stop = new AbortController();
    const daemon = run(home, stop.signal);
    const client = createClient({ socketPath: home.socket, warn: () => undefined });
    expect(await answered(client)).toMatchObject({ pid: process.pid, version: '1.2.3', home: root });
    expect(statSync(home.socket).mode & 0o777).toBe(0o600);
    expect(statSync(home.run).mode & 0o777).toBe(0o700);
    expect(statSync(home.state).mode & 0o777).toBe(0o700);
    await expect(run(home, stop.signal)).rejects.toThrow(`process ${process.pid}`);
    stop.abort();
    await daemon;
    await expect(client.send({ path: '/berth/status' })).rejects.toThrow();
  });

  it('ends when its store turns out to be damaged, saying which', async () => {
    const home = resolveHome({ BERTH_HOME: root });
    const stop = new AbortController();
    const ended = run(home, stop.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    const client = createClient({ socketPath: home.socket, warn: () => undefined });
    await answered(client);
    damage(join(home.state, 'state.db'));
    await client.send({ path: '/api/v1/events' }).catch(() => undefined);
    expect(await ended).toMatchObject({
      name: 'StateStoreError',
      message: `the state store ${home.state}/state.db is damaged: database disk image is malformed`,
    });
    lockHome(home.state, { pid: 1, startedAt: '' })();
  });

  it('says what is wrong with a home too deep for a socket', async () => {
    const home = resolveHome({ BERTH_HOME: join(root, 'deep'.repeat(30)) });
    await expect(run(home, new AbortController().signal)).rejects.toThrow(/choose a shorter home/);
  });
});
