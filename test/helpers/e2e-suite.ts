import type { EngineName } from './e2e-engine';
import { endpointOf } from './engine-real';

/** Tells stories on one engine; where that one may be missing, says so with a test instead of passing over it. */
export function describeOn(
  name: EngineName,
  ...stories: readonly ((name: EngineName, endpoint: string) => void)[]
): void {
  const endpoint = endpointOf(name);
  describe(`on ${name}`, () => {
    if (endpoint === undefined) {
      it('is allowed to be missing here', () => {
        expect(process.env.BERTH_TEST_ALLOW_MISSING).toBe('1');
      });
      return;
    }
    stories.forEach((story) => {
      story(name, endpoint);
    });
  });
}
