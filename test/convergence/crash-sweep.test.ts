import { shapeOf } from '../helpers/check-worlds';
import { BALLAST } from '../helpers/fake-manifests';
import { World } from '../helpers/world';
import { PROJECTS, STORIES, type Step } from './stories';

/** Something that kills the controller when the nth of its moments has come; says whether it has. */
interface Death {
  readonly happened: () => boolean;
  readonly onEffect?: (world: World) => void;
  readonly onStored?: (world: World) => void;
}

class Crash extends Error {}

function atEffect(n: number, when: 'beforeEffect' | 'afterEffect'): Death {
  let seen = 0;
  return {
    happened: () => seen >= n,
    onEffect: (world) => {
      world.engine.faults[when] = () => {
        seen += 1;
        if (seen !== n) return;
        world.die();
        throw new Crash(`${when} ${n}`);
      };
    },
  };
}

function afterStored(n: number): Death {
  let seen = 0;
  return {
    happened: () => seen >= n,
    onStored: (world) => {
      seen += 1;
      if (seen === n) world.die();
    },
  };
}

/** Plays a story; the death is set up for its last step: what leads there is the last step of another one. */
async function play(story: readonly Step[], death?: Death): Promise<unknown> {
  let armed = false;
  const onStored = (): void => {
    if (armed) death?.onStored?.(world);
  };
  const world: World = new World({ onStored });
  try {
    world.directory('web');
    world.directory('api');
    world.write('others.yaml', BALLAST + PROJECTS);
    await world.start();
    await rest(world, 200);
    for (const [index, { act, restMs }] of story.entries()) {
      armed = index === story.length - 1;
      if (armed) death?.onEffect?.(world);
      await act(world);
      await rest(world, restMs);
    }
    return shapeOf(world);
  } finally {
    await world.close();
  }
}

async function rest(world: World, forMs: number): Promise<void> {
  await world.settle(forMs);
  if (!world.dead) return;
  await world.crash();
  await world.settle(forMs);
}

/** Every moment of the kind, until there is no nth one; says how many there were. */
async function sweep(undisturbed: unknown, story: readonly Step[], deathAt: (n: number) => Death): Promise<number> {
  for (let n = 1; ; n += 1) {
    const death = deathAt(n);
    const after = await play(story, death);
    if (!death.happened()) return n - 1;
    expect({ n, after }).toEqual({ n, after: undisturbed });
  }
}

describe.each(Object.entries(STORIES))('when %s, a controller that is killed and started anew', (_, story) => {
  let undisturbed: unknown;
  beforeAll(async () => {
    undisturbed = await play(story.steps);
  });

  it('is measured against one that lives on and does what is asked', () => {
    const { containers } = undisturbed as { containers: { running: boolean; sessions: unknown[] }[] };
    expect(containers.map(({ running, sessions }) => ({ running, sessions: sessions.length }))).toEqual(story.leaves);
  });

  it('ends where that one does, whichever effect it is killed before', async () => {
    const atEffects = await sweep(undisturbed, story.steps, (n) => atEffect(n, 'beforeEffect'));
    expect(atEffects).toBeGreaterThanOrEqual(story.effects);
  });

  it('ends where that one does, whichever effect it is killed after', async () => {
    const atEffects = await sweep(undisturbed, story.steps, (n) => atEffect(n, 'afterEffect'));
    expect(atEffects).toBeGreaterThanOrEqual(story.effects);
  });

  it('ends where that one does, whatever it had just stored', async () => {
    expect(await sweep(undisturbed, story.steps, afterStored)).toBeGreaterThan(story.effects);
  }, 30_000);
});
