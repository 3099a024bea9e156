import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { LogDestination, writeToStdout } from '../../controller/log-destination';
import { FakeClock } from '../helpers/fake-clock';

const clock = new FakeClock(1_000);

/** A disk with room for so many bytes. */
class Disk {
  text = '';

  constructor(public room: number) {}

  readonly write = (bytes: Uint8Array): number => {
    const fits = Math.min(bytes.length, this.room);
    if (fits === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    this.room -= fits;
    this.text += Buffer.from(bytes.subarray(0, fits)).toString();
    return fits;
  };
}

const lost = (count: number, msg: string): string => `{"level":40,"time":1000,"lost":${count},"msg":"${msg}"}\n`;

describe('the log', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'berth-log-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it('drops what a full disk does not take, and says how much once there is room', () => {
    const disk = new Disk(10);
    const log = new LogDestination(disk.write, clock);
    for (const line of ['first\n', 'second\n', 'third\n']) log.write(line);
    disk.room = 1000;
    log.write('fourth\n');
    log.write('fifth\n');
    expect(disk.text).toBe(`first\nseco\n${lost(2, '2 lines of the log were lost')}fourth\nfifth\n`);
  });

  it('counts on while there is room for less than a line', () => {
    const disk = new Disk(0);
    const log = new LogDestination(disk.write, clock);
    log.write('first\n');
    disk.room = 1;
    log.write('second\n');
    disk.room = 1000;
    log.write('third\n');
    expect(disk.text).toBe(`{\n${lost(2, '2 lines of the log were lost')}third\n`);
  });

  it('says it of a single line', () => {
    const disk = new Disk(0);
    const log = new LogDestination(disk.write, clock);
    log.write('first\n');
    disk.room = 1000;
    log.write('second\n');
    expect(disk.text).toBe(`${lost(1, '1 line of the log was lost')}second\n`);
  });

  it('goes on where nothing can ever be written', () => {
    const log = pino({}, new LogDestination(writeToStdout('/dev/full'), clock));
    for (let index = 0; index < 100; index += 1) log.info({ index }, 'a line');
    expect(log.level).toBe('info');
  });

  it('is added to the end of a file', () => {
    const path = join(directory, 'log');
    closeSync(openSync(path, 'w'));
    const [one, other] = [writeToStdout(path), writeToStdout(path)].map((write) => new LogDestination(write, clock));
    one!.write('first\n');
    other!.write('second\n');
    one!.write('third\n');
    expect(readFileSync(path, 'utf8')).toBe('first\nsecond\nthird\n');
  });

  it('waits for no reader of a pipe, and outlives it', () => {
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const log = new LogDestination(writeToStdout(path), clock);
    const line = `${'x'.repeat(1023)}\n`;
    for (let index = 0; index < 1024; index += 1) log.write(line);
    const buffer = Buffer.alloc(2 ** 21);
    const read = readSync(reader, buffer);
    log.write('after\n');
    const length = readSync(reader, buffer);
    const kept = Math.floor(read / 1024);
    expect(buffer.subarray(0, length).toString()).toContain(`"${1024 - kept} lines of the log were lost"}\nafter\n`);
    closeSync(reader);
    log.write('to nobody\n');
  });
});
