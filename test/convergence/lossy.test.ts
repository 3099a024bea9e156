import { shapeOf } from '../helpers/check-worlds';
import { BALLAST } from '../helpers/fake-manifests';
import type { Distort } from '../helpers/fake-life';
import { World, type WorldOptions } from '../helpers/world';
import { PROJECTS, STORIES, type Step } from './stories';

/** Longer than everything is left unlooked at: what no event told is found then at the latest. */
const RESYNC_MS = 310_000;

/** Hints come late, in another order and several times; the newest is held back until the next. */
const stutter: Distort = async function* (hints) {
  const heard = [];
  for await (const hint of hints) {
    heard.push(hint);
    yield* heard.slice(0, -1).reverse();
  }
};

interface Way extends WorldOptions {
  readonly loseEvents?: boolean;
  /** Something may be found at the next look at everything only. */
  readonly late?: boolean;
}

const WAYS: Readonly<Record<string, Way>> = {
  'every event of the engine is lost': { loseEvents: true, late: true },
  'events of the engine come late, twice and out of order': { distort: stutter },
  'every change in the store asks for a pass': { predicate: () => true },
  'no change in the store asks for a pass over the object itself': { predicate: () => false, late: true },
};

/** Things that happen to containers behind our back, after which each must be as it was. */
const OUTSIDE: Readonly<Record<string, readonly Step[]>> = {
  'a container is stopped from outside': [
    ...STORIES['a sandbox is made']!.steps,
    {
      act: (world) => {
        for (const { id } of world.containers()) world.engine.exit(id);
      },
      restMs: 1_000,
    },
  ],
};

async function play(steps: readonly Step[], { loseEvents = false, late = false, ...options }: Way): Promise<unknown> {
  const world = new World(options);
  world.engine.faults.loseEvents = loseEvents;
  try {
    world.directory('web');
    world.directory('api');
    world.write('others.yaml', BALLAST + PROJECTS);
    await world.start();
    await world.settle(200);
    for (const { act, restMs } of steps) {
      await act(world);
      await (late ? world.settle(RESYNC_MS, 2_500) : world.settle(restMs));
    }
    return shapeOf(world);
  } finally {
    await world.close();
  }
}

const stories: (readonly [string, readonly Step[]])[] = [
  ...Object.entries(STORIES).map(([name, { steps }]) => [name, steps] as const),
  ...Object.entries(OUTSIDE),
];

describe.each(stories)('when %s', (_, steps) => {
  let ordinary: unknown;
  beforeAll(async () => {
    ordinary = await play(steps, {});
  });

  it.each(Object.entries(WAYS))('it makes no difference that %s', async (_way, options) => {
    expect(await play(steps, options)).toEqual(ordinary);
  });
});
