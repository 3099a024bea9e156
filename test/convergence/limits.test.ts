import { World } from '../helpers/world';

const SANDBOX = 'apiVersion: berth.dev/v1alpha1\nkind: Sandbox\nmetadata: { name: main }\nspec: {}\n';

describe('limits', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
    world.write('main.yaml', SANDBOX);
  });

  afterEach(async () => {
    await world.close();
  });

  it('that an engine does not know are left out of the request, and said not to be enforced', async () => {
    const gap = { enforced: false, reason: 'no cgroups' } as const;
    world.engine.probe = { ...world.engine.probe, limits: { cpus: gap, memory: gap, processes: gap, storage: gap } };
    await world.start();
    await world.settle();
    expect(world.containers()[0]?.spec.limits).toEqual({});
    expect(world.condition('Sandbox', 'main', 'LimitsEnforced')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('memory: no cgroups') as string,
    });
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('True UpToDate');
  });

  it('that an engine enforces in part are asked for, and said not to be enforced whole', async () => {
    const memory = { enforced: false, partly: true, reason: 'no swap limit' } as const;
    world.engine.probe = { ...world.engine.probe, limits: { ...world.engine.probe.limits, memory } };
    await world.start();
    await world.settle();
    expect(world.containers()[0]?.spec.limits).toEqual({
      milliCpus: 2_000,
      memoryBytes: 4 * 1024 ** 3,
      processes: 512,
    });
    expect(world.said('Sandbox', 'main', 'LimitsEnforced')).toBe('False NotEnforceable');
  });
});
