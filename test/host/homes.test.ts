import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Homes } from '../../host/homes';

const shared = (uid: string) => ({ name: 'main', uid, dedicated: false });
const dedicated = (uid: string) => ({ name: 'main', uid, dedicated: true });

describe('homes of sandboxes', () => {
  let data: string;
  let homes: Homes;

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'berth-homes-'));
    homes = new Homes(data);
  });

  afterEach(() => {
    rmSync(data, { recursive: true, force: true });
  });

  const note = (): string => join(homes.path({ name: 'main' }), 'note');

  it('are their owner’s alone, however wide they were', async () => {
    mkdirSync(homes.path({ name: 'main' }), { recursive: true, mode: 0o755 });
    await homes.prepare(shared('1'));
    expect(statSync(homes.path({ name: 'main' })).mode & 0o777).toBe(0o700);
  });

  it('are set aside whole and found again by the next shared sandbox of the name', async () => {
    await homes.prepare(shared('1'));
    writeFileSync(note(), 'kept');
    await homes.setAside(shared('1'));
    await homes.setAside(shared('1'));
    expect([await homes.exist(shared('1')), existsSync(note())]).toEqual([false, false]);
    await homes.prepare(shared('2'));
    expect(existsSync(note())).toBe(true);
  });

  it('of one session are kept, and never found by another of its name', async () => {
    await homes.prepare(dedicated('1'));
    writeFileSync(note(), 'private');
    await homes.setAside(dedicated('1'));
    for (const next of [dedicated('2'), shared('3')]) {
      await homes.prepare(next);
      expect(existsSync(note())).toBe(false);
      await homes.setAside(next);
    }
    expect(existsSync(join(data, 'set-aside/sessions/main-1/home/note'))).toBe(true);
  });

  it('that a shared sandbox left are not given to a session of its name', async () => {
    await homes.prepare(shared('1'));
    writeFileSync(note(), 'kept');
    await homes.setAside(shared('1'));
    await homes.prepare(dedicated('2'));
    expect(existsSync(note())).toBe(false);
  });
});
