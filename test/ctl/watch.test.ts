import { conditions } from '../helpers/memory-store';
import { CtlHarness, type Ran } from './harness';

const KEY = { kind: 'Sandbox', name: 'main' } as const;

let ctl: CtlHarness;
let running: Promise<Ran> | undefined;
beforeEach(async () => {
  ctl = new CtlHarness();
  await ctl.serve();
  ctl.store.put('Sandbox', 'main', { status: conditions({ Ready: 'False Starting' }) });
});
afterEach(async () => {
  ctl.stop.abort();
  await running;
  await ctl.close();
});

function ready(reason: string): void {
  ctl.store.put('Sandbox', 'main', { status: conditions({ Ready: `True ${reason}` }) });
}

/** Turns the clock on, a second at a time, until the screen shows it. */
async function eventually(pattern: RegExp): Promise<void> {
  while (!pattern.test(ctl.stdout.text)) {
    ctl.clock.advance(1000);
    await new Promise(setImmediate);
  }
}

describe('ctl get -w', () => {
  it('prints the table, then a row for each change', async () => {
    running = ctl.run('get sandboxes -w');
    await ctl.stdout.shows(/^NAME .*\nmain +<none> +Starting .*\n$/);
    ready('Ready');
    await ctl.stdout.shows(/\nmain +<none> +Ready +True .*\n$/);
    ctl.store.put('Sandbox', 'web');
    await ctl.stdout.shows(/\nweb +<none> +Pending .*\n$/);
    ctl.stop.abort();
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(stdout.match(/NAME/g)).toHaveLength(1);
    const columns = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.search(/<none>|RUNTIME/));
    expect(new Set(columns).size).toBe(1);
  });

  it('of one name or one selection shows no other', async () => {
    running = ctl.run('get sandbox main -w --no-headers');
    await ctl.stdout.shows(/^main/);
    ctl.store.put('Sandbox', 'web');
    ready('Ready');
    await ctl.stdout.shows(/Ready/);
    expect(ctl.stdout.text).not.toContain('web');
  });

  it('begins with the header when there is nothing yet', async () => {
    running = ctl.run('get projects -w');
    while (ctl.clock.pending() === 0) await new Promise(setImmediate);
    ctl.store.put('Project', 'web');
    await ctl.stdout.shows(/^NAME .*\nweb /);
  });

  it('prints names and documents too', async () => {
    running = ctl.run('get sb -w -o name');
    await ctl.stdout.shows(/^sandbox.berth.dev\/main\n$/);
    ready('Ready');
    await ctl.stdout.shows(/^(sandbox.berth.dev\/main\n){2}$/);
    ctl.stop.abort();
    await running;
  });

  it('as YAML separates the documents', async () => {
    running = ctl.run('get sb -w -o yaml');
    await ctl.stdout.shows(/^---\napiVersion/);
    ready('Ready');
    await ctl.stdout.shows(/^---\n[^]*\n---\n[^]*reason: Ready/);
  });

  it('goes on over a restart of the controller, without losing a change', async () => {
    running = ctl.run('get sandboxes -w');
    await ctl.stdout.shows(/Starting/);
    await ctl.stopServing();
    await ctl.serve();
    ready('Ready');
    await eventually(/\nmain +<none> +Ready /);
  });

  it('lists again when the controller no longer knows where it was', async () => {
    running = ctl.run('get sandboxes -w');
    await ctl.stdout.shows(/Starting/);
    await ctl.stopServing();
    ready('Ready');
    await ctl.serve();
    await eventually(/\nmain +<none> +Ready /);
  });

  it('says so when the controller does not come back', async () => {
    running = ctl.run('get sandboxes -w');
    await ctl.stdout.shows(/Starting/);
    await ctl.stopServing();
    let ended = false;
    void running.then(() => (ended = true));
    // Read through a function: the compiler does not know that the promise above writes it.
    const isOver = (): boolean => ended;
    while (!isOver()) {
      ctl.clock.advance(1000);
      await new Promise(setImmediate);
    }
    const { code, stderr } = await running;
    expect(stderr).toContain('The controller is not running');
    expect(code).toBe(1);
  });

  it('of a deleted object prints its last state', async () => {
    running = ctl.run('get sandboxes -w --no-headers');
    await ctl.stdout.shows(/Starting/);
    ctl.store.remove(KEY);
    await ctl.stdout.shows(/Starting[^]*Starting/);
  });

  it('is for one type', async () => {
    const { code, stderr } = await ctl.run('get sb,sess -w');
    expect(stderr).toBe('error: watch is only supported on a single resource or a single type of resources\n');
    expect(code).toBe(1);
  });
});
