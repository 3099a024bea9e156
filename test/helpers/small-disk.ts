import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own that a test can fill. */
export class SmallDisk {
  readonly path: string;

  constructor() {
    this.path = mkdtempSync(join(tmpdir(), 'berth-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'berth-test', this.path], { stdio: 'pipe' });
    } catch (error) {
      rmdirSync(this.path);
      throw error;
    }
  }

  /** To the last byte, the ends of the files' last blocks included. */
  fill(...files: readonly string[]): void {
    for (const file of [join(this.path, 'filler'), ...files]) {
      for (const size of [65_536, 4096, 64, 1]) this.#append(file, size);
    }
  }

  free(bytes?: number): void {
    const filler = join(this.path, 'filler');
    truncateSync(filler, bytes === undefined ? 0 : statSync(filler).size - bytes);
  }

  close(): void {
    execFileSync('umount', ['--lazy', this.path]);
    rmdirSync(this.path);
  }

  #append(file: string, size: number): void {
    try {
      for (;;) appendFileSync(file, '\n'.repeat(size));
    } catch {
      // Full.
    }
  }
}

/** Why there can be no small disk here; undefined when there can. */
export function whyNoSmallDisk(): string | undefined {
  try {
    new SmallDisk().close();
    return undefined;
  } catch (error) {
    return `a disk of its own can't be mounted here: ${(error as Error).message.split('\n')[0] ?? ''}`;
  }
}
