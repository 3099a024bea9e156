import { systemClock } from '../../controller/clock';
import { runDaemon } from '../../controller/daemon';
import { resolveHome } from '../../controller/home';
import { silentLog } from '../../controller/log';
import { composeController, type Controller } from '../../controller/main';
import { FakeEngine, fakeRuntime } from '../../runtimes/fake';

/**
 * The controller as it ships, on an engine with memory: a program for measuring it alone. SIGUSR2 makes a resync and
 * prints what it cost as one line of JSON.
 */
async function main(): Promise<void> {
  const home = resolveHome(process.env);
  const engine = new FakeEngine({ now: () => Date.now() });
  engine.addImage('localhost/berth/sandbox:dev');
  const held: { controller?: Controller } = {};
  const compose = (): Controller => {
    held.controller = composeController({
      home,
      openRuntime: () => fakeRuntime(engine),
      user: { uid: 1234, gid: 1234, home: '/nonexistent' },
      engineSockets: [],
      clock: systemClock,
      log: silentLog,
    });
    return held.controller;
  };
  const stop = new AbortController();
  process.once('SIGTERM', () => {
    stop.abort();
  });
  process.on('SIGUSR2', () => {
    if (held.controller) void measureResync(held.controller, engine);
  });
  await runDaemon({ home, compose, clock: systemClock, log: silentLog, version: 'bench', signal: stop.signal });
}

async function measureResync({ manager, queue }: Controller, engine: FakeEngine): Promise<void> {
  const writes = engine.writes();
  const before = process.cpuUsage();
  manager.resync('Sandbox');
  // A loop without a pause would itself be most of what is measured while passes wait for the file system.
  while (!queue.idle) {
    await new Promise<void>((resolve) => {
      systemClock.after(1, resolve);
    });
  }
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ cpuMs: (user + system) / 1000, writes: engine.writes() - writes })}\n`);
}

void main();
