import { BALLAST, manifest } from '../helpers/fake-manifests';
import { World } from '../helpers/world';

describe('an engine that is back for a moment only', () => {
  it.each([0, 150, 300, 450, 600, 750, 900])('is not taken to be there for good (%d ms on)', async (offsetMs) => {
    const world = new World();
    try {
      world.write('main.yaml', BALLAST + manifest('Sandbox', 'main', ''));
      await world.start();
      await world.settle(1_000);
      world.engine.die();
      await world.settle(1_100 + offsetMs);
      expect(world.said('Sandbox', 'main')).toBe('False NotRunning');
      world.engine.faults.unavailable = false;
      while (world.said('Sandbox', 'main') !== 'True Ready') await world.settle(20);
      world.engine.die();
      await world.settle(3_000);
      expect(world.said('Sandbox', 'main')).toBe('False NotRunning');
    } finally {
      await world.close();
    }
  });
});
