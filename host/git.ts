import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface GitFacts {
  /** The checked-out branch, or `HEAD` when detached; absent before the first commit. */
  readonly head?: string;
  /** Absolute path of the directory that all worktrees of the repository share. */
  readonly commonDir: string;
}

const TIMEOUT_MS = 2_000;

/** A repository in which git hung is left alone for this long: whoever writes there could make every look hang. */
const LEFT_ALONE_MS = 10 * 60_000;

/** Nothing that a repository configures may run on the host by our hand: no hooks, no monitor, no helper, no pager. */
const SAFE_CONFIG = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'safe.directory=*'];

/** Looks at repositories, and remembers those that are not worth another look for a while. Memory only. */
export class GitLooks {
  readonly #now: () => number;
  readonly #hungAt = new Map<string, number>();

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Facts of the repository whose top is exactly `path`; undefined when it is none. Only ever runs `git rev-parse`. */
  async facts(path: string, signal?: AbortSignal): Promise<GitFacts | undefined> {
    if (this.#now() - (this.#hungAt.get(path) ?? -Infinity) < LEFT_ALONE_MS || !(await mayBeTop(path)))
      return undefined;
    const commonDir = await this.#ask(path, ['--path-format=absolute', '--git-common-dir'], signal);
    if (commonDir === undefined) return undefined;
    const head = await this.#ask(path, ['--abbrev-ref', 'HEAD'], signal);
    return { commonDir, ...(head === undefined ? {} : { head }) };
  }

  async #ask(path: string, args: readonly string[], signal?: AbortSignal): Promise<string | undefined> {
    const answer = await revParse(path, args, signal);
    if (answer === 'Hung') this.#hungAt.set(path, this.#now());
    else this.#hungAt.delete(path);
    return answer === 'Hung' ? undefined : answer?.trim();
  }
}

/** A worktree has a file there. A HEAD that is a pipe would be waited for. */
async function mayBeTop(path: string): Promise<boolean> {
  try {
    const top = await lstat(join(path, '.git'));
    return top.isFile() || (await lstat(join(path, '.git', 'HEAD'))).isFile();
  } catch {
    return false;
  }
}

/** The answer, or undefined when git refused: a repository can be broken in more ways than there are messages. */
async function revParse(path: string, args: readonly string[], signal?: AbortSignal): Promise<string | undefined> {
  const config = SAFE_CONFIG.flatMap((entry) => ['-c', entry]);
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CEILING_DIRECTORIES: dirname(path),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  };
  const options = { env, timeout: TIMEOUT_MS, ...(signal ? { signal } : {}) };
  return new Promise((resolve) => {
    execFile('git', ['-C', path, ...config, 'rev-parse', ...args], options, (error, stdout) => {
      const hung = error?.killed === true && signal?.aborted !== true;
      resolve(hung ? 'Hung' : error ? undefined : stdout);
    });
  });
}
