import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { conditionOf, sandboxManifest, shown, type Machine, type Seen } from '../helpers/e2e-machine';
import { describeOn } from '../helpers/e2e-suite';
import { eventually } from '../helpers/engine';

/** One more service over a person's Podman, which goes as it comes: the containers live in storage, not in a service. */
class Service {
  readonly endpoint: string;
  readonly #machine: Machine;
  #process: ChildProcess | undefined;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.endpoint = `unix://${join(machine.root, 'home/run/podman.sock')}`;
  }

  async start(): Promise<void> {
    const { person, env } = this.#machine;
    this.#machine.directory('home/run');
    const command = [...person.become, 'podman', 'system', 'service', '--time=0', this.endpoint];
    const [program, ...args] = command as [string, ...string[]];
    // In a group of its own: it runs as two processes, one of them in the user's namespace.
    const options = { env: { ...env, HOME: person.home }, cwd: '/', stdio: 'ignore', detached: true } as const;
    this.#process = spawn(program, args, options);
    const answers = async (): Promise<boolean> =>
      (await this.#machine.engine.at(this.endpoint).run('version')).code === 0;
    await eventually('the service answers', answers, 30_000);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined) return;
    const ended = new Promise((resolve) => child.on('exit', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

describeOn('podman', (machine) => {
  const service = new Service(machine);
  beforeAll(async () => {
    machine.declareEngine(service.endpoint);
    machine.manifest('away', sandboxManifest(machine, 'away'));
    await machine.start();
  });
  afterAll(() => service.kill());
  const down = (seen: Seen | undefined): boolean => /^Ready=\w+:NotRunning$/.test(shown(seen, 'Ready'));

  it('waits for an engine that is not there yet, and tells what is missing', async () => {
    const { status } = await machine.until('sandbox', 'away', down);
    expect(status?.failure).toMatchObject({ stage: 'CheckingRuntime', cause: 'NotRunning' });
    expect(conditionOf(await machine.get('settings', 'default'), 'Ready')?.status).toBe('False');
    expect(await machine.ctlOk('describe', 'sb', 'away')).toContain('Remedy:');
    await service.start();
    await machine.ready('sandbox', 'away');
    await machine.ready('settings', 'default');
  });

  it('takes nothing for gone that it can not see, and finds it again', async () => {
    const before = await machine.ready('sandbox', 'away');
    const id = String(before.status?.containerId);
    const { State } = await machine.engine.inspect(id);
    for (let turn = 0; turn < 3; turn += 1) {
      await service.kill();
      const lost = await machine.until('sandbox', 'away', down);
      expect(lost.status?.containerId).toBe(id);
      expect(shown(lost, 'UpToDate')).toBe('UpToDate=Unknown:NotObserved');
      await service.start();
      await machine.ready('sandbox', 'away');
    }
    expect(await machine.containers()).toEqual([id]);
    expect((await machine.engine.inspect(id)).State).toEqual(State);
  });

  it('deletes what it was told to when the engine is back, over its own restart', async () => {
    await service.kill();
    await machine.until('sandbox', 'away', down);
    machine.removeManifest('away');
    await machine.ctlOk('delete', 'sandbox', 'away', '--yes', '--no-wait');
    await machine.until('sandbox', 'away', (seen) => conditionOf(seen, 'Ready')?.reason === 'Terminating');
    expect(await machine.containers()).toHaveLength(1);
    await machine.stop();
    await machine.start();
    expect((await machine.get('sandbox', 'away'))?.metadata.deletionTimestamp).toBeDefined();
    await service.start();
    await machine.until('sandbox', 'away', (seen) => seen === undefined);
    expect(await machine.containers()).toEqual([]);
  });
});
