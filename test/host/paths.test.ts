import { contains, expandPath, outermost, refusalOf, type ProtectedPath } from '../../host/paths';

const protectedPaths: ProtectedPath[] = [
  { what: 'Root', path: '/' },
  { what: 'Home', path: '/home/ann' },
  { what: 'Manifests', path: '/home/ann/dotfiles/berth' },
  { what: 'State', path: '/home/ann/.local/state/berth' },
  { what: 'EngineSocket', path: '/run/docker.sock' },
  { what: 'System', path: '/var/lib/docker' },
];

describe('contains', () => {
  it.each([
    ['/w/app', '/w/app', true],
    ['/w/app', '/w/app/src', true],
    ['/w/app', '/w/app2', false],
    ['/w/app', '/w/..app', false],
    ['/w/app', '/w', false],
    ['/', '/anything', true],
  ])('%s holds %s: %s', (outer, inner, expected) => {
    expect(contains(outer, inner)).toBe(expected);
  });

  it('counts a name that only begins with two dots as inside', () => {
    expect(contains('/w', '/w/..app')).toBe(true);
  });
});

describe('refusalOf', () => {
  it.each([
    ['/', 'Root', 'Is'],
    ['/home/ann', 'Home', 'Is'],
    ['/home', 'Home', 'Holds'],
    ['/home/ann/dotfiles', 'Manifests', 'Holds'],
    ['/home/ann/dotfiles/berth', 'Manifests', 'Is'],
    ['/home/ann/dotfiles/berth/sub', 'Manifests', 'HeldBy'],
    ['/home/ann/.local/state/berth/data/x', 'State', 'HeldBy'],
    ['/run', 'EngineSocket', 'Holds'],
    ['/var', 'System', 'Holds'],
    ['/var/lib/docker/volumes/x', 'System', 'HeldBy'],
  ])('refuses %s', (path, what, relation) => {
    expect(refusalOf(path, protectedPaths)).toMatchObject({ what, relation });
  });

  it.each(['/home/ann/src/web', '/home/ann/dotfiles/berth2', '/srv'])('allows %s', (path) => {
    expect(refusalOf(path, protectedPaths)).toBeUndefined();
  });
});

describe('expandPath', () => {
  it.each([
    ['~', '/home/ann'],
    ['~/src/../web', '/home/ann/web'],
    ['./project', '/m/project'],
    ['/srv/x/', '/srv/x'],
    ['~other/x', '/m/~other/x'],
  ])('%s is %s', (path, expected) => {
    expect(expandPath(path, { home: '/home/ann', base: '/m' })).toBe(expected);
  });
});

describe('outermost', () => {
  it('keeps the directories that lie in no other', () => {
    expect(outermost(['/w/app/sub', '/w/app', '/w/app2', '/w/app'])).toEqual(['/w/app', '/w/app2']);
  });
});
