import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManifestScanner, SETTLE_MS } from '../../../controller/manifests/scanner';
import type { ParseManifest } from '../../../controller/manifests/scan';
import { FakeClock } from '../../helpers/fake-clock';

/** Stands for the real parser: the text is the name of the one object it declares. */
function parse(text: string, path: string): ReturnType<ParseManifest> {
  if (text === 'broken') {
    return {
      documents: [],
      warnings: [],
      problems: [{ path, line: 1, column: 1, reason: 'InvalidYaml', message: 'no' }],
    };
  }
  const declaration = { kind: 'Sandbox', name: text, labels: {}, annotations: {}, spec: {} } as const;
  return { documents: [{ declaration, line: 1, warnings: [] }], problems: [], warnings: [] };
}

describe('ManifestScanner', () => {
  let root: string;
  let clock: FakeClock;
  let scanner: ManifestScanner;
  let texts: string[];
  /** Part of the name of what somebody else could write. */
  let exposed: string | undefined;

  beforeEach(() => {
    texts = [];
    exposed = undefined;
    root = mkdtempSync(join(tmpdir(), 'berth-scan-'));
    clock = new FakeClock();
    scanner = new ManifestScanner({
      root: join(root, 'manifests'),
      parse: (text, path) => {
        texts.push(text);
        return parse(text, path);
      },
      clock,
      exposure: (places) => {
        const part = exposed;
        return part === undefined ? undefined : places.find((place) => place.includes(part));
      },
    });
    mkdirSync(join(root, 'manifests'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const write = (name: string, text: string): void => {
    writeFileSync(join(root, 'manifests', name), text);
  };
  const states = async () => {
    const { scan } = await scanner.scan();
    return scan.files.map((file) =>
      file.state === 'Parsed' ? file.documents.map((document) => document.declaration.name).join() : file.state,
    );
  };
  const settle = async () => {
    await scanner.scan();
    clock.advance(SETTLE_MS);
    return states();
  };

  it('counts a file only once it stayed the same for a while', async () => {
    write('a.yaml', 'one');
    expect(await states()).toEqual(['Unsettled']);
    clock.advance(SETTLE_MS - 1);
    expect(await states()).toEqual(['Unsettled']);
    clock.advance(1);
    expect(await states()).toEqual(['one']);
  });

  it('starts the wait over when the file changed meanwhile', async () => {
    write('a.yaml', 'one');
    await scanner.scan();
    clock.advance(SETTLE_MS - 10);
    write('a.yaml', 'one-and-more');
    await scanner.scan();
    clock.advance(20);
    expect(await states()).toEqual(['Unsettled']);
    clock.advance(SETTLE_MS);
    expect(await states()).toEqual(['one-and-more']);
  });

  it('sees a file that was replaced by renaming another over it', async () => {
    write('a.yaml', 'one');
    await settle();
    write('a.tmp', 'two');
    renameSync(join(root, 'manifests/a.tmp'), join(root, 'manifests/a.yaml'));
    expect(await settle()).toEqual(['two']);
  });

  it('follows links to files and directories, and ends in a circle of them', async () => {
    mkdirSync(join(root, 'dotfiles/nested'), { recursive: true });
    writeFileSync(join(root, 'dotfiles/linked.yaml'), 'linked');
    writeFileSync(join(root, 'dotfiles/nested/deep.yml'), 'deep');
    symlinkSync(join(root, 'dotfiles/linked.yaml'), join(root, 'manifests/a.yaml'));
    symlinkSync(join(root, 'dotfiles/nested'), join(root, 'manifests/b'));
    symlinkSync(join(root, 'manifests'), join(root, 'dotfiles/nested/circle'));
    expect(await settle()).toEqual(['linked', 'deep']);
    const { places } = await scanner.scan();
    expect(places).toEqual(expect.arrayContaining([join(root, 'dotfiles/linked.yaml'), join(root, 'dotfiles/nested')]));
  });

  it('passes over editors’ leftovers, hidden directories and other files', async () => {
    for (const name of ['a.yaml~', '.a.yaml.swp', '.hidden.yaml', 'readme.md']) write(name, 'x');
    mkdirSync(join(root, 'manifests/.git'));
    write('.git/config.yaml', 'x');
    expect(await settle()).toEqual([]);
  });

  it('never opens a pipe or a device that is named like a manifest, and says that it is there', async () => {
    execFileSync('mkfifo', [join(root, 'manifests/pipe.yaml')]);
    symlinkSync('/dev/zero', join(root, 'manifests/zero.yaml'));
    write('a.yaml', 'one');
    expect(await settle()).toEqual(['one', 'Broken', 'Broken']);
  });

  it('looks again at a file whose permissions changed', async () => {
    write('a.yaml', 'one');
    await settle();
    chmodSync(join(root, 'manifests/a.yaml'), 0o600);
    expect(await states()).toEqual(['Unsettled']);
  });

  it('tells of every place that decides what a manifest says, and whether these are all', async () => {
    mkdirSync(join(root, 'far'));
    writeFileSync(join(root, 'far/x.yaml'), 'far');
    symlinkSync(join(root, 'far'), join(root, 'hop'));
    symlinkSync(join(root, 'hop'), join(root, 'manifests/linked'));
    const { places, complete } = await scanner.scan();
    expect(complete).toBe(true);
    for (const place of ['manifests', 'manifests/linked', 'hop', 'far', 'far/x.yaml']) {
      expect(places).toContain(join(root, place));
    }
    rmSync(join(root, 'manifests'), { recursive: true });
    expect(await scanner.scan()).toMatchObject({ complete: false, places: [join(root, 'manifests')] });
  });

  it('does not look through a whole disk that a link leads to, and takes nothing for gone meanwhile', async () => {
    write('a.yaml', 'one');
    mkdirSync(join(root, 'much'));
    for (let n = 0; n <= 5_000; n += 1) writeFileSync(join(root, 'much', `${n}.yaml`), '');
    symlinkSync(join(root, 'much'), join(root, 'manifests/much'));
    expect(await settle()).toEqual(['one', 'Broken']);
    const { scan, complete, directories } = await scanner.scan();
    expect(complete).toBe(false);
    expect(directories).toEqual([join(root, 'manifests')]);
    expect(scan.files).toContainEqual(
      expect.objectContaining({
        path: join(root, 'manifests/much'),
        problems: [expect.objectContaining({ message: expect.stringContaining('more than 5000') as string })],
      }),
    );
  });

  it('does not read what somebody else could write now', async () => {
    write('a.yaml', 'one');
    exposed = 'a.yaml';
    expect(await settle()).toEqual(['Broken']);
    expect(texts).toEqual([]);
    exposed = undefined;
    expect(await settle()).toEqual(['one']);
  });

  it('reports a dangling link, and a file that is too large, as broken', async () => {
    symlinkSync(join(root, 'nowhere'), join(root, 'manifests/a.yaml'));
    write('b.yaml', 'x'.repeat(1024 * 1024 + 1));
    expect(await settle()).toEqual(['Broken', 'Broken']);
  });

  it('says that the directory is gone instead of calling it empty', async () => {
    rmSync(join(root, 'manifests'), { recursive: true });
    const { scan } = await scanner.scan();
    expect(scan.readable).toBe(false);
    expect(scan.problems[0]?.message).toContain('everything stays');
  });

  it('is quiet since the last change of anything', async () => {
    write('a.yaml', 'one');
    await settle();
    const before = (await scanner.scan()).scan.quietSince;
    clock.advance(1_000);
    expect((await scanner.scan()).scan.quietSince).toBe(before);
    write('b.yaml', 'two');
    expect((await scanner.scan()).scan.quietSince).toBe(clock.now());
  });
});
