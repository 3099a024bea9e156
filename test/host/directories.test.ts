import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory, makePrivateDirectory } from '../../host/make-directory';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'berth-directories-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a directory', () => {
  it('is made with its parents, each for its owner alone', () => {
    makeDirectory(join(root, 'a/b/c'));
    makeDirectory(join(root, 'a/b/c'));
    expect(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(root, path)))).toEqual([0o700, 0o700, 0o700]);
  });

  it('that is there keeps its mode, unless it is to be private', () => {
    mkdirSync(join(root, 'wide'));
    chmodSync(join(root, 'wide'), 0o755);
    symlinkSync('wide', join(root, 'link'));
    makeDirectory(join(root, 'link/in'));
    expect(modeOf(join(root, 'wide'))).toBe(0o755);
    makePrivateDirectory(join(root, 'link'));
    expect(modeOf(join(root, 'wide'))).toBe(0o700);
  });

  it.each([
    ['/proc/berth/state', 'nothing can be made in /proc (no such file or directory)'],
    ['/dev/null/berth', '/dev/null is not a directory'],
  ])('is not made at %s: %s', (path, why) => {
    const sentence = `the directory ${path} can't be made: ${why}`;
    expect(() => {
      makeDirectory(path);
    }).toThrow(sentence);
  });

  it('is not made in /sys', () => {
    expect(() => {
      makeDirectory('/sys/berth/state');
    }).toThrow(/^the directory \/sys\/berth\/state can't be made: nothing can be made in \/sys \(.+\)$/);
  });

  it.each([
    ['file', () => `${root}/file is not a directory`],
    ['file/in/it', () => `${root}/file is not a directory`],
    ['dangling', () => `${root}/dangling is a link that leads nowhere`],
    ['dangling/in/it', () => `${root}/dangling is a link that leads nowhere`],
    ['circle/in/it', () => 'too many symbolic links encountered'],
    ['n'.repeat(256), () => 'name too long'],
    [`${'n'.repeat(200)}/`.repeat(25), () => 'name too long'],
  ])('is not made where something is in the way: %#', (path, why) => {
    writeFileSync(join(root, 'file'), '');
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
    symlinkSync('circle', join(root, 'circle'));
    const before = readdirSync(root);
    const whole = join(root, path);
    const sentence = `the directory ${whole} can't be made: ${why()}`;
    expect(() => {
      makePrivateDirectory(whole);
    }).toThrow(sentence);
    expect(readdirSync(root)).toEqual(before);
  });
});
