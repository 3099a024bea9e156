import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOOLS =
  'bash cat cut date dirname env find grep head id mkdir mktemp mv rm sed setsid sha256sum sleep sort touch uname';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of the scripts on a machine that has a few tools and the programs that the test plays. */
export class ScriptBox {
  readonly root = mkdtempSync(join(tmpdir(), 'berth-script-'));
  readonly #bin = join(this.root, 'bin');

  constructor() {
    cpSync(join(__dirname, '../../scripts'), join(this.root, 'scripts'), { recursive: true });
    mkdirSync(this.#bin);
    for (const tool of TOOLS.split(' ')) symlinkSync(join('/usr/bin', tool), join(this.#bin, tool));
    this.file('package-lock.json', '{}');
    this.program('node', 'echo v20.19.0');
  }

  path(name: string): string {
    return join(this.root, name);
  }

  file(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  /** A program in PATH, as shell lines; it notes that it was called in calls.log. */
  program(name: string, lines: string): void {
    const path = join(this.#bin, name);
    rmSync(path, { force: true });
    writeFileSync(path, `#!/usr/bin/bash\necho "${name} $*" >>${this.path('calls.log')}\n${lines}\n`);
    chmodSync(path, 0o755);
  }

  run(command: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const env = { PATH: this.#bin, HOME: this.root, BERTH_SETUP_STATE: this.path('state'), ...environment };
    const [program = '', ...args] = command;
    return new Promise((resolve) => {
      execFile(program, args, { cwd: this.root, env }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
      });
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
