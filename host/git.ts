import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface GitFacts {
  /** The checked-out branch, or `HEAD` when detached; absent before the first commit. */
  readonly head?: string;
  /** Absolute path of the directory that all worktrees of the repository share. */
  readonly commonDir: string;
}

const TIMEOUT_MS = 5_000;

/** Nothing that a repository configures may run on the host by our hand: no hooks, no monitor, no helper, no pager. */
const SAFE_CONFIG = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'safe.directory=*'];

/** Facts of the repository whose top is exactly `path`; undefined when it is none. Only ever runs `git rev-parse`. */
export async function gitFacts(path: string, signal?: AbortSignal): Promise<GitFacts | undefined> {
  try {
    await lstat(join(path, '.git'));
  } catch {
    return undefined;
  }
  const commonDir = await revParse(path, ['--path-format=absolute', '--git-common-dir'], signal);
  if (commonDir === undefined) return undefined;
  const head = await revParse(path, ['--abbrev-ref', 'HEAD'], signal);
  return { commonDir, ...(head === undefined ? {} : { head }) };
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
      resolve(error ? undefined : stdout.trim());
    });
  });
}
