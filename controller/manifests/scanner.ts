import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ParsedManifest } from '../../crds/parse';
import type { ManifestProblem } from '../../crds/problems';
import type { Clock } from '../clock';
import type { ParseManifest, Scan, ScannedFile } from './scan';
import { codeOf, signatureOf, walk, type Exposure, type FoundFile } from './walk';

/** A file counts once its signature stayed the same for this long: half-written ones are valid YAML surprisingly often. */
export const SETTLE_MS = 60;

/** More than any hand-written manifest; a larger one is refused unread. */
const MOST_BYTES = 1024 * 1024;

interface Seen {
  readonly signature: string;
  readonly since: number;
  readonly parsed?: ParsedManifest;
}

export interface ScanOutcome {
  readonly scan: Scan;
  /** To be watched: the directories that were read. */
  readonly directories: readonly string[];
  /** Real paths of manifests, their directories, and links on the way to them: what no sandbox may be able to write. */
  readonly places: readonly string[];
  /** False when there may be more of them: something could not be looked into. */
  readonly complete: boolean;
  /** A file has to be looked at again after this time, in milliseconds; undefined when all are settled. */
  readonly settleInMs?: number;
}

export interface ScannerOptions {
  readonly root: string;
  readonly parse: ParseManifest;
  readonly clock: Clock;
  readonly exposure: Exposure;
}

/** Reads the manifest directory. Remembers what it parsed, so that an unchanged file costs one `stat`. */
export class ManifestScanner {
  readonly #root: string;
  readonly #parse: ParseManifest;
  readonly #clock: Clock;
  readonly #exposure: ScannerOptions['exposure'];
  readonly #seen = new Map<string, Seen>();
  #fingerprint = '';
  #quietSince: number;

  constructor({ root, parse, clock, exposure }: ScannerOptions) {
    this.#root = root;
    this.#parse = parse;
    this.#clock = clock;
    this.#exposure = exposure;
    this.#quietSince = clock.now();
  }

  async scan(): Promise<ScanOutcome> {
    const { places, complete, directories, ...found } = await walk(this.#root, this.#exposure);
    if (found.failed !== undefined) {
      this.#note('unreadable');
      const problems = [this.#unreadable(found.failed)];
      return {
        scan: { readable: false, files: [], problems, quietSince: this.#quietSince },
        directories,
        places,
        complete,
      };
    }
    this.#note(found.files.map(({ path, signature }) => `${path} ${signature}`).join('\n'));
    this.#forget(found.files);
    const files: ScannedFile[] = [];
    for (const file of found.files) files.push(await this.#look(file));
    files.push(...found.unreadable.map(({ path, reason }) => broken(path, 'Unreadable', `can't be read: ${reason}`)));
    files.push(...found.exposed.map(({ path, why }) => broken(path, 'Exposed', why)));
    const unsettled = files.some(({ state }) => state === 'Unsettled');
    return {
      scan: { readable: true, files, problems: [], quietSince: this.#quietSince },
      directories,
      places,
      complete,
      ...(unsettled ? { settleInMs: SETTLE_MS } : {}),
    };
  }

  #unreadable(why: string): ManifestProblem {
    const message = `the manifest directory can't be read (${why}); everything stays as it was last declared`;
    return { path: this.#root, line: 0, column: 0, reason: 'Unreadable', message };
  }

  async #look(file: FoundFile): Promise<ScannedFile> {
    const now = this.#clock.now();
    const seen = this.#seen.get(file.path);
    if (seen?.signature !== file.signature) {
      this.#seen.set(file.path, { signature: file.signature, since: now });
      return { path: file.path, state: 'Unsettled' };
    }
    if (seen.parsed) return parsedFile(file.path, seen.parsed);
    if (now - seen.since < SETTLE_MS) return { path: file.path, state: 'Unsettled' };
    const parsed = await this.#read(file);
    if (!parsed) return { path: file.path, state: 'Unsettled' };
    this.#seen.set(file.path, { ...seen, parsed });
    return parsedFile(file.path, parsed);
  }

  /** Undefined when the file changed while it was read. */
  async #read(file: FoundFile): Promise<ParsedManifest | undefined> {
    if (file.bytes > MOST_BYTES) {
      return {
        documents: [],
        warnings: [],
        problems: [problem(file.path, 'Unreadable', 'is larger than 1 MiB and was not read')],
      };
    }
    try {
      // It was a regular file a moment ago; what is there by now must not be waited for.
      const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const text = await handle.readFile('utf8');
        if (signatureOf(await handle.stat()) !== file.signature) return undefined;
        return this.#parse(text, file.path);
      } finally {
        await handle.close();
      }
    } catch (error) {
      return {
        documents: [],
        warnings: [],
        problems: [problem(file.path, 'Unreadable', `can't be read: ${codeOf(error)}`)],
      };
    }
  }

  #note(fingerprint: string): void {
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    this.#quietSince = this.#clock.now();
  }

  #forget(files: readonly FoundFile[]): void {
    const paths = new Set(files.map(({ path }) => path));
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path);
  }
}

function parsedFile(path: string, { documents, problems, warnings }: ParsedManifest): ScannedFile {
  return problems.length > 0 ? { path, state: 'Broken', problems } : { path, state: 'Parsed', documents, warnings };
}

function broken(path: string, reason: ManifestProblem['reason'], message: string): ScannedFile {
  return { path, state: 'Broken', problems: [problem(path, reason, message)] };
}

function problem(path: string, reason: ManifestProblem['reason'], message: string): ManifestProblem {
  return { path, line: 0, column: 0, reason, message };
}
