import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routeOf } from '../../host/links';

describe('routeOf', () => {
  let root: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-links-')));
    for (const name of ['a/b', 'c/d']) mkdirSync(join(root, name), { recursive: true });
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('finds none where there is none', async () => {
    expect(await routeOf(join(root, 'a/b'))).toEqual({ links: [], end: join(root, 'a/b') });
    expect(await routeOf(join(root, 'a/../a/./b'))).toEqual({ links: [], end: join(root, 'a/b') });
    expect(await routeOf(join(root, 'nowhere/x'))).toEqual({ links: [], end: join(root, 'nowhere/x') });
  });

  it('finds each on the way, in the middle and at the end, where it really is', async () => {
    symlinkSync('../c', join(root, 'a/over'));
    symlinkSync(join(root, 'a/b'), join(root, 'c/d/back'));
    expect(await routeOf(join(root, 'a/over/d/back'))).toEqual({
      links: [join(root, 'a/over'), join(root, 'c/d/back')],
      end: join(root, 'a/b'),
    });
  });

  it('finds a link that leads to a link', async () => {
    symlinkSync('second', join(root, 'first'));
    symlinkSync('a', join(root, 'second'));
    expect((await routeOf(join(root, 'first/b'))).links).toEqual([join(root, 'first'), join(root, 'second')]);
  });

  it('says where one that leads to nothing would end', async () => {
    symlinkSync('../c/new/x.yaml', join(root, 'a/later'));
    expect(await routeOf(join(root, 'a/later'))).toEqual({
      links: [join(root, 'a/later')],
      end: join(root, 'c/new/x.yaml'),
    });
  });

  it('ends in a circle', async () => {
    symlinkSync('y', join(root, 'x'));
    symlinkSync('x', join(root, 'y'));
    expect((await routeOf(join(root, 'x'))).links.length).toBeLessThanOrEqual(40);
  });
});
