import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { directoryIdentity, inspectDirectory } from '../../host/inspect';

describe('what is at a path', () => {
  let root: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-inspect-')));
    mkdirSync(join(root, 'web'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const web = () => join(root, 'web');

  it('is a directory, by its real path and its identity', async () => {
    const { dev, ino } = statSync(web());
    symlinkSync(web(), join(root, 'link'));
    const identity = `${dev}:${ino}`;
    expect(await inspectDirectory(join(root, 'link'))).toEqual({ usable: true, path: web(), identity });
    expect(await directoryIdentity(web())).toBe(identity);
  });

  it('is nothing, or no directory', async () => {
    writeFileSync(join(root, 'file'), '');
    expect(await inspectDirectory(join(root, 'none'))).toMatchObject({ usable: false, reason: 'PathMissing' });
    expect(await inspectDirectory(join(root, 'file'))).toMatchObject({ usable: false, reason: 'NotADirectory' });
    expect(await inspectDirectory(join(root, 'file/below'))).toMatchObject({ usable: false, reason: 'PathMissing' });
    expect(await directoryIdentity(join(root, 'none'))).toBeUndefined();
    expect(await directoryIdentity(join(root, 'file'))).toBeUndefined();
  });

  it('is another directory once it was moved and made again, and none when it is a link', async () => {
    const before = await directoryIdentity(web());
    renameSync(web(), join(root, 'old'));
    mkdirSync(web());
    expect(await directoryIdentity(web())).not.toBe(before);
    expect(await directoryIdentity(join(root, 'old'))).toBe(before);
    rmSync(web(), { recursive: true });
    symlinkSync(join(root, 'old'), web());
    expect(await directoryIdentity(web())).toBeUndefined();
  });
});
