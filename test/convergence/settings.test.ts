import type { SettingsStatus } from '../../crds/settings';
import { World } from '../helpers/world';

const SANDBOX = 'apiVersion: berth.dev/v1alpha1\nkind: Sandbox\nmetadata: { name: main }\nspec: {}\n';

describe('the settings', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
    world.engine.faults.unavailable = true;
  });

  afterEach(async () => {
    await world.close();
  });

  it('miss no container runtime while nothing asks for one', async () => {
    await world.start();
    await world.settle(2_000);
    expect(world.said('Settings', 'default')).toBe('True Disabled');
  });

  it('name what is wrong with the container runtime once a sandbox asks for it, and that it is well again', async () => {
    world.write('main.yaml', SANDBOX);
    await world.start();
    await world.settle(2_000);
    expect(world.said('Settings', 'default')).toBe('False NotRunning');
    expect(world.said('Sandbox', 'main')).toBe('False NotRunning');
    expect(world.said('Sandbox', 'main', 'UpToDate')).toBe('Unknown NotObserved');
    world.engine.faults.unavailable = false;
    await world.settle(3_000);
    expect(world.said('Settings', 'default')).toBe('True RuntimeReady');
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
  });

  it('say which manifests are broken, where and why, until they are mended', async () => {
    world.write('main.yaml', SANDBOX.replace('spec: {}', 'spec: { limts: {} }'));
    await world.start();
    await world.settle(2_000);
    expect(world.condition('Settings', 'default', 'ManifestsValid')).toMatchObject({
      status: 'False',
      reason: 'InvalidManifests',
      message: expect.stringMatching(/main\.yaml:4:9: .*limts.*limits/) as string,
    });
    world.write('main.yaml', SANDBOX);
    await world.settle(6_000);
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('True Valid');
  });

  it('say what was left aside without being wrong', async () => {
    world.write('other.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n');
    await world.start();
    await world.settle(2_000);
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('True Valid');
    const { manifests } = world.object<unknown, SettingsStatus>('Settings', 'default').status!;
    expect(manifests?.warnings).toEqual([expect.stringContaining('ConfigMap')]);
  });

  it('say that the manifest directory has gone, while everything stays as it was', async () => {
    world.engine.faults.unavailable = false;
    world.write('main.yaml', SANDBOX);
    await world.start();
    await world.settle(1_000);
    world.remove('.');
    await world.settle(20_000);
    expect(world.said('Settings', 'default', 'ManifestsValid')).toBe('False DirectoryMissing');
    expect(world.said('Sandbox', 'main')).toBe('True Ready');
    expect(world.containers().map(({ running }) => running)).toEqual([true]);
  });
});
