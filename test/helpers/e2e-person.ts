import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The ordinary person whose programs and files these are: a user made for the tests where we are root, or ourselves. */
export interface Person {
  readonly uid: number;
  readonly gid: number;
  /** What is put before a command so that it runs as this person. */
  readonly become: readonly string[];
  readonly runtimeDir: string;
  /** Where their login has its home: a test's programs get another one. */
  readonly home: string;
}

/** The user that scripts/lib/podman.sh makes. */
const TEST_UID = 2345;
const TEST_HOME = '/home/berth-test';

export function person(): Person {
  const own = process.getuid?.() ?? 0;
  const uid = own === 0 ? TEST_UID : own;
  const gid = own === 0 ? TEST_UID : (process.getgid?.() ?? 0);
  const become = own === 0 ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--init-groups'] : [];
  const home = own === 0 ? TEST_HOME : homedir();
  return { uid, gid, become, runtimeDir: `/run/user/${uid}`, home };
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Written to its standard input, which ends then. */
  readonly input?: string;
}

/** Runs a program to its end; an exit code is an answer, and only one that can't be started is an error. */
export function run([program = '', ...args]: readonly string[], { env, input = '' }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd: '/' });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
    child.on('error', reject).on('close', (code) => {
      resolve({ code: code ?? -1, ...text });
    });
    child.stdin.on('error', () => undefined).end(input);
  });
}

const ROOT = join(__dirname, '../..');

/** Native modules the bundles load; sources and headers of them are of no use at run time. */
const LOADED = ['better-sqlite3', 'ssh2'];
const ONLY_FOR_BUILDING = /\/(deps|src|test|examples)$/;

/** Builds the programs into a directory that has nothing else of this checkout, as an installation would. */
export async function install(directory: string): Promise<void> {
  const build = [process.execPath, join(ROOT, 'scripts/build.mjs'), '--out', directory];
  const { code, stderr } = await run(build, { env: process.env });
  if (code !== 0) throw new Error(`the build fails: ${stderr}`);
  LOADED.forEach((name) => {
    copyPackage(name, directory);
  });
}

function copyPackage(name: string, directory: string): void {
  const from = join(ROOT, 'node_modules', name);
  const to = join(directory, 'node_modules', name);
  if (existsSync(to) || !existsSync(from)) return;
  cpSync(from, to, { recursive: true, dereference: true, filter: (path) => !ONLY_FOR_BUILDING.test(path) });
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  Object.keys(dependencies).forEach((dependency) => {
    copyPackage(dependency, directory);
  });
}
