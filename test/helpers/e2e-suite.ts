import type { EngineName } from './e2e-engine';
import { Machine } from './e2e-machine';
import { endpointOf } from './engine-real';

/** Starting, stopping and deleting on a busy machine, several times in one story. */
const STORY_MS = 180_000;

/** The machine that the stories of one suite share, one after the other. */
export interface Stage {
  readonly machine: Machine;
}

/** A suite on one engine; where that one may be missing, says so with a test instead of passing over it. */
export function describeOn(name: EngineName, suite: (machine: Machine) => void): void {
  const endpoint = endpointOf(name);
  jest.setTimeout(STORY_MS);
  describe(`on ${name}`, () => {
    if (endpoint === undefined) {
      it('is allowed to be missing here', () => {
        expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
      });
      return;
    }
    const machine = new Machine(name, endpoint);
    beforeAll(() => machine.prepare());
    afterAll(() => machine.close());
    suite(machine);
  });
}

/** Tells stories on one engine, with a controller that runs. */
export function tellOn(name: EngineName, ...stories: readonly ((stage: Stage) => void)[]): void {
  describeOn(name, (machine) => {
    beforeAll(() => machine.start());
    stories.forEach((story) => {
      story({ machine });
    });
  });
}
