import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linksOn } from '../../host/links';

describe('linksOn', () => {
  let root: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-links-')));
    for (const name of ['a/b', 'c/d']) mkdirSync(join(root, name), { recursive: true });
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('finds none where there is none', async () => {
    expect(await linksOn(join(root, 'a/b'))).toEqual([]);
    expect(await linksOn(join(root, 'a/../a/./b'))).toEqual([]);
    expect(await linksOn(join(root, 'nowhere/x'))).toEqual([]);
  });

  it('finds each on the way, in the middle and at the end, where it really is', async () => {
    symlinkSync('../c', join(root, 'a/over'));
    symlinkSync(join(root, 'a/b'), join(root, 'c/d/back'));
    expect(await linksOn(join(root, 'a/over/d/back'))).toEqual([join(root, 'a/over'), join(root, 'c/d/back')]);
  });

  it('finds a link that leads to a link', async () => {
    symlinkSync('second', join(root, 'first'));
    symlinkSync('a', join(root, 'second'));
    expect(await linksOn(join(root, 'first/b'))).toEqual([join(root, 'first'), join(root, 'second')]);
  });

  it('ends in a circle', async () => {
    symlinkSync('y', join(root, 'x'));
    symlinkSync('x', join(root, 'y'));
    expect((await linksOn(join(root, 'x'))).length).toBeLessThanOrEqual(40);
  });
});
