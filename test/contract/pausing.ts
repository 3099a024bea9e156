import type { Corner } from '../helpers/engine';
import { eventually, failureOf, present } from '../helpers/engine';

/** What somebody else may do to a container at any time. */
export function describePausing(here: () => Corner): void {
  /** Whether the engine can pause at all: rootless Podman needs cgroup version 2 for it. */
  async function pauses(): Promise<boolean> {
    const { rootless, cgroupVersion } = await here().runtime.probe();
    return !(rootless && cgroupVersion === '1');
  }

  async function paused(): Promise<string> {
    const id = await here().run();
    await here().harness.byHand(id, 'pause');
    return id;
  }

  it('tells a paused container from one that goes on, or refuses to pause it', async () => {
    const id = await here().run();
    expect(await present(here().runtime, id)).toMatchObject({ running: true, paused: false });
    const outcome = await here()
      .harness.byHand(id, 'pause')
      .then(
        () => 'paused',
        () => 'refused',
      );
    expect(outcome).toBe((await pauses()) ? 'paused' : 'refused');
    expect(await present(here().runtime, id)).toMatchObject({ running: true, paused: outcome === 'paused' });
    if (outcome === 'paused') await here().harness.byHand(id, 'unpause');
    expect(await present(here().runtime, id)).toMatchObject({ running: true, paused: false });
  });

  it('runs and starts nothing in a paused container, and says that it is paused', async () => {
    if (!(await pauses())) return;
    const id = await paused();
    const { execs } = here().runtime;
    expect(await failureOf(execs.run(id, { command: ['true'] }))).toMatchObject({ code: 'Paused' });
    expect(await failureOf(execs.start(id, { command: ['true'] }))).toMatchObject({ code: 'Paused' });
    await here().harness.byHand(id, 'unpause');
    expect((await execs.run(id, { command: ['true'] })).exitCode).toBe(0);
  });

  it('stops a paused container, and starts it as one that is not', async () => {
    if (!(await pauses())) return;
    const id = await paused();
    await here().runtime.containers.stop(id, { graceMs: 5_000 });
    expect(await present(here().runtime, id)).toMatchObject({ running: false, paused: false });
    await here().runtime.containers.start(id);
    expect(await present(here().runtime, id)).toMatchObject({ running: true, paused: false });
  });

  it('removes a paused container', async () => {
    if (!(await pauses())) return;
    const id = await paused();
    await here().runtime.containers.remove(id);
    expect(await here().runtime.containers.observe(id)).toEqual({ present: false });
  });

  it('hints at pausing and unpausing', async () => {
    if (!(await pauses())) return;
    const id = await here().run();
    const { name } = await present(here().runtime, id);
    const stop = new AbortController();
    let hints = 0;
    const stream = await here().runtime.changes(here().labels, stop.signal);
    const reading = (async () => {
      for await (const hint of stream) if (hint.name === name) hints += 1;
    })();
    for (const what of ['pause', 'unpause'] as const) {
      const before = hints;
      await here().harness.byHand(id, what);
      await eventually(`a hint comes of ${what}`, () => hints > before);
    }
    stop.abort();
    await reading;
  });
}
