import { eventually, type Corner } from '../helpers/engine';

/** Hints that came for a subscriber so far, and how its stream ended. */
class Listener {
  readonly names: string[] = [];
  ended: unknown = 'open';
  readonly #stop = new AbortController();

  async listen(corner: Corner, labels = corner.labels): Promise<this> {
    const hints = await corner.runtime.changes(labels, this.#stop.signal);
    void (async () => {
      for await (const hint of hints) this.names.push(hint.name);
    })().then(
      () => (this.ended = 'ended'),
      (error: unknown) => (this.ended = error),
    );
    return this;
  }

  count(name: string): number {
    return this.names.filter((seen) => seen === name).length;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await eventually('the stream ends', () => this.ended !== 'open');
  }
}

export function describeChanges(here: () => Corner): void {
  it('hints at create, start, end and removal of containers with the labels, and at no other', async () => {
    const { containers } = here().runtime;
    const own = { ...here().labels, 'dev.berth.name': here().name() };
    const listener = await new Listener().listen(here(), own);
    const stranger = await here().run();
    const spec = here().spec({ labels: own });
    const steps: (() => Promise<unknown>)[] = [
      () => containers.create(spec),
      () => containers.start(spec.name),
      () => containers.stop(spec.name, { graceMs: 1000 }),
      () => containers.remove(spec.name),
    ];
    for (const step of steps) {
      const before = listener.count(spec.name);
      await step();
      await eventually('a hint comes', () => listener.count(spec.name) > before);
    }
    await containers.remove(stranger);
    await listener.stop();
    expect(new Set(listener.names)).toEqual(new Set([spec.name]));
    expect(listener.ended).toBe('ended');
  });

  it('does not hint at execs, so that looking never causes another look', async () => {
    const { runtime } = here();
    const spec = here().spec();
    await runtime.containers.start(await runtime.containers.create(spec));
    const listener = await new Listener().listen(here());
    await runtime.execs.run(spec.name, { command: ['true'] });
    await runtime.execs.run(spec.name, { command: ['true'] });
    const marker = here().spec();
    await runtime.containers.create(marker);
    // Events come in order: once the marker is there, whatever an exec had caused would be too.
    await eventually('the marker comes', () => listener.count(marker.name) > 0);
    expect(listener.count(spec.name)).toBe(0);
    await listener.stop();
  });

  it('refuses to subscribe for a signal that has aborted, or ends at once', async () => {
    const seen: string[] = [];
    const outcome = await (async () => {
      for await (const hint of await here().runtime.changes(here().labels, AbortSignal.abort())) seen.push(hint.name);
    })().then(
      () => 'ended',
      (error: unknown) => (error as { code?: string }).code,
    );
    expect(['ended', 'Timeout']).toContain(outcome);
    expect(seen).toEqual([]);
  });
}
