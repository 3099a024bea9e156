import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveHome } from '../../controller/home';
import { protectedPaths } from '../../controller/protected-paths';
import { directoryIdentity } from '../../host/inspect';
import { refusalOf } from '../../host/paths';
import { FakeClock } from '../helpers/fake-clock';

describe('protectedPaths', () => {
  const clock = new FakeClock();
  let root: string;
  let places: readonly string[];
  let sockets: readonly string[];
  let forbidden: ReturnType<typeof protectedPaths>;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-protected-')));
    places = [];
    sockets = [join(root, 'engine/docker.sock')];
    forbidden = protectedPaths({
      berths: [resolveHome({ BERTH_HOME: join(root, 'berth') }), resolveHome({ HOME: join(root, 'ann') })],
      homes: [join(root, 'ann')],
      engineSockets: () => sockets,
      manifestPlaces: () => places,
      clock,
    });
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const refusal = (path: string): string | undefined => {
    const found = refusalOf(join(root, path), forbidden());
    return found && `${found.relation} ${found.what}`;
  };

  it.each([
    ['ann', 'Is Home'],
    ['.', 'Holds Home'],
    ['berth/manifests/more', 'HeldBy Manifests'],
    ['berth/data', 'Is State'],
    ['berth', 'Holds Manifests'],
    ['engine', 'Holds EngineSocket'],
    ['ann/.local/share/docker/volumes', 'HeldBy System'],
  ])('names what %s is or holds', (path, says) => {
    expect(refusal(path)).toBe(says);
  });

  it.each([
    ['ann/.config/berth', 'Holds Manifests'],
    ['ann/.config/berth/manifests', 'Is Manifests'],
    ['ann/.local/share/berth/sandboxes/x', 'HeldBy State'],
    ['ann/.local/state', 'Holds State'],
  ])('counts %s, where another controller of the person keeps what it goes by', (path, says) => {
    expect(refusal(path)).toBe(says);
  });

  it('knows what it counts by its identity as well, since a directory can be mounted at a second path', async () => {
    for (const name of ['ann/src', 'berth/manifests']) mkdirSync(join(root, name), { recursive: true });
    const refused = async (path: string): Promise<string | undefined> => {
      const found = refusalOf('/mnt/alias', forbidden(), await directoryIdentity(join(root, path)));
      return found && `${found.relation} ${found.what}`;
    };
    expect(await refused('ann')).toBe('Holds Home');
    expect(await refused('berth')).toBe('Holds Manifests');
    expect(await refused('berth/manifests')).toBe('Holds Manifests');
    expect(await refused('ann/src')).toBeUndefined();
  });

  it('lets the rest be had', () => {
    for (const path of ['src', 'ann/src', 'berth2', 'engines']) expect(refusal(path)).toBeUndefined();
  });

  it('knows at once where manifests lie', () => {
    expect(refusal('team')).toBeUndefined();
    places = [join(root, 'team/hop')];
    expect(refusal('team')).toBe('Holds Manifests');
  });

  it('knows at once of a socket that the settings name', () => {
    expect(refusal('mine')).toBeUndefined();
    sockets = [...sockets, join(root, 'mine/podman.sock')];
    expect(refusal('mine')).toBe('Holds EngineSocket');
  });

  it('follows a link that somebody turned, after a moment', () => {
    for (const name of ['one', 'two']) mkdirSync(join(root, name));
    mkdirSync(join(root, 'berth'));
    symlinkSync(join(root, 'one'), join(root, 'berth/data'));
    expect(refusal('one')).toBe('Is State');
    rmSync(join(root, 'berth/data'));
    symlinkSync(join(root, 'two'), join(root, 'berth/data'));
    clock.advance(2_000);
    expect(refusal('two')).toBe('Is State');
    expect(refusal('one')).toBeUndefined();
  });
});
