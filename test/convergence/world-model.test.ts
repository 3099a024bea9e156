import { assign, setup } from 'xstate';
import { createTestModel } from 'xstate/graph';
import { BALLAST, manifest } from '../helpers/fake-manifests';
import { World } from '../helpers/world';

type Version = 'v1' | 'v2';

/** What a person would expect of their machine, in as few words as there are. */
interface Expected {
  readonly file: Version | undefined;
  /** What the container was made from. */
  readonly made: Version | undefined;
  readonly up: boolean;
  /** A restart was asked for while the engine was away. */
  readonly restartDue: boolean;
}

type Happening =
  'APPLY' | 'EDIT' | 'RESTART' | 'STOP_OUTSIDE' | 'REMOVE_OUTSIDE' | 'ENGINE_DOWN' | 'ENGINE_UP' | 'DELETE';

/** With the engine there, whatever is missing is made from the file, and what is no longer declared is removed. */
function settled(next: Expected): Expected {
  if (!next.up) return next;
  const made = next.file === undefined || next.restartDue ? next.file : (next.made ?? next.file);
  return { ...next, made, restartDue: false };
}

const expectations: Readonly<Record<Happening, (now: Expected) => Expected>> = {
  APPLY: (now) => settled({ ...now, file: 'v1' }),
  EDIT: (now) => settled({ ...now, file: now.file === 'v1' ? 'v2' : 'v1' }),
  RESTART: (now) => settled({ ...now, restartDue: now.made !== undefined }),
  /** What does not run is no work to protect: it is made anew when it is out of date. */
  STOP_OUTSIDE: (now) => settled({ ...now, made: now.file }),
  REMOVE_OUTSIDE: (now) => settled({ ...now, made: undefined }),
  ENGINE_DOWN: (now) => ({ ...now, up: false }),
  ENGINE_UP: (now) => settled({ ...now, up: true }),
  DELETE: (now) => settled({ ...now, file: undefined, restartDue: false }),
};

const possible: Readonly<Record<Happening, (now: Expected) => boolean>> = {
  /** A deletion that still waits for its engine is finished first. */
  APPLY: ({ file, made }) => file === undefined && made === undefined,
  EDIT: ({ file }) => file !== undefined,
  RESTART: ({ file }) => file !== undefined,
  STOP_OUTSIDE: ({ up, made }) => up && made !== undefined,
  REMOVE_OUTSIDE: ({ up, made }) => up && made !== undefined,
  ENGINE_DOWN: ({ up }) => up,
  ENGINE_UP: ({ up }) => !up,
  DELETE: ({ file }) => file !== undefined,
};

const HAPPENINGS = Object.keys(expectations) as Happening[];

const NOTHING: Expected = { file: undefined, made: undefined, up: true, restartDue: false };

const person = setup({
  types: { context: {} as Expected, events: {} as { type: Happening } },
  guards: { isPossible: ({ context, event }) => possible[event.type](context) },
  actions: { expect: assign(({ context, event }) => expectations[event.type](context)) },
}).createMachine({
  id: 'person',
  context: NOTHING,
  initial: 'watching',
  states: { watching: {} },
  on: Object.fromEntries(HAPPENINGS.map((type) => [type, { guard: 'isPossible', actions: 'expect' }])),
});

const SANDBOX = manifest('Sandbox', 'main', 'keepRunning: false');
const TEXT: Readonly<Record<Version, string>> = { v1: SANDBOX, v2: SANDBOX.replace('false', 'true') };

class Stage {
  readonly world = new World();
  #version: Version = 'v1';

  async open(): Promise<void> {
    this.world.write('others.yaml', BALLAST);
    await this.world.start();
    await this.world.settle(100);
  }

  readonly play: Readonly<Record<Happening, () => void>> = {
    APPLY: () => {
      this.#write('v1');
    },
    EDIT: () => {
      this.#write(this.#version === 'v1' ? 'v2' : 'v1');
    },
    RESTART: () => {
      this.world.restart('Sandbox', 'main');
    },
    STOP_OUTSIDE: () => {
      this.world.engine.exit(this.world.containers()[0]!.id);
    },
    REMOVE_OUTSIDE: () => {
      this.world.engine.disappear(this.world.containers()[0]!.id);
    },
    ENGINE_DOWN: () => {
      this.world.engine.die();
    },
    ENGINE_UP: () => {
      this.world.engine.faults.unavailable = false;
    },
    DELETE: () => {
      this.world.remove('main.yaml');
      this.world.controller.store.requestDeletion({ kind: 'Sandbox', name: 'main' });
    },
  };

  #write(version: Version): void {
    this.#version = version;
    this.world.write('main.yaml', TEXT[version]);
  }

  /** The world in the words of the model. */
  look(): unknown {
    const { world } = this;
    const declared = world.controller.store.get({ kind: 'Sandbox', name: 'main' });
    const deleting = declared?.metadata.deletionTimestamp !== undefined;
    return {
      containers: world
        .containers()
        .map(({ running, spec }) => ({ running, made: spec.restart === 'no' ? 'v1' : 'v2' })),
      declared: declared !== undefined && !deleting,
      said: declared ? [world.said('Sandbox', 'main'), world.said('Sandbox', 'main', 'UpToDate')] : [],
    };
  }
}

function expected({ file, made, up }: Expected): unknown {
  const containers = made === undefined ? [] : [{ running: true, made }];
  return { containers, declared: file !== undefined, said: said({ file, made, up }) };
}

function said({ file, made, up }: Omit<Expected, 'restartDue'>): string[] {
  if (file === undefined) return made === undefined ? [] : ['False Terminating', 'Unknown NotObserved'];
  if (!up) return ['False NotRunning', 'Unknown NotObserved'];
  return ['True Ready', made === file ? 'True UpToDate' : 'False RestartPolicyChanged'];
}

/** Longest of all waits between what is done and what is seen: the third start in a row, or an engine that is back. */
const REST_MS = 35_000;
const PATHS = 20;

const paths = createTestModel(person).getSimplePaths({
  events: HAPPENINGS.map((type) => ({ type })),
  serializeState: ({ context }) => JSON.stringify(Object.values(context).map(String)),
  limit: 20_000,
});
/** The longest show most; of them an even sample, the same each time. */
const sample = paths
  .toSorted((a, b) => b.steps.length - a.steps.length)
  .filter((_, index) => index % Math.max(1, Math.ceil(paths.length / PATHS)) === 0);

describe('a sandbox, whatever happens to it', () => {
  it('has more stories than are played here', () => {
    expect(paths.length).toBeGreaterThan(PATHS);
    expect(new Set(sample.flatMap(({ steps }) => steps.map(({ event }) => event.type as string)))).toEqual(
      new Set(['xstate.init', ...HAPPENINGS]),
    );
  });

  it.each(
    sample.map(
      (path) =>
        [
          path.steps
            .map(({ event }) => event.type)
            .slice(1)
            .join(', '),
          path,
        ] as const,
    ),
  )('is as a person expects after each of %s, and a crash after every second', async (_, path) => {
    const stage = new Stage();
    try {
      await stage.open();
      let now = NOTHING;
      for (const [index, { event }] of path.steps.slice(1).entries()) {
        const happening = event.type;
        stage.play[happening]();
        if (index % 2 === 1) await stage.world.crash();
        await stage.world.settle(1_000);
        await stage.world.settle(REST_MS, 1_000);
        now = expectations[happening](now);
        expect([happening, stage.look()]).toEqual([happening, expected(now)]);
      }
    } finally {
      await stage.world.close();
    }
  });
});
