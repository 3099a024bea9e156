import { run, type Person, type Ran } from './e2e-person';

export type EngineName = 'docker' | 'podman';

interface EngineOptions {
  readonly name: EngineName;
  readonly endpoint: string;
  readonly person: Person;
  readonly env: NodeJS.ProcessEnv;
}

/** What a test reads of a container in the engine's own words. */
export interface Inspected {
  readonly Id: string;
  readonly Name: string;
  readonly State: { readonly Running: boolean; readonly StartedAt: string; readonly Pid: number };
  readonly Config: { readonly Labels: Readonly<Record<string, string>> };
  readonly Mounts: readonly { readonly Source: string }[];
}

/** An engine as its own command line shows it: the tests' second opinion. */
export class E2eEngine {
  readonly endpoint: string;
  readonly kind: 'Docker' | 'Podman';
  readonly #command: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #options: EngineOptions;

  constructor(options: EngineOptions) {
    const { name, endpoint, person, env } = options;
    this.#options = options;
    this.endpoint = endpoint;
    this.kind = name === 'docker' ? 'Docker' : 'Podman';
    const program = name === 'docker' ? ['docker', '--host', endpoint] : ['podman', '--remote', '--url', endpoint];
    this.#command = [...person.become, ...program];
    this.#env = env;
  }

  /** The same engine behind another socket. */
  at(endpoint: string): E2eEngine {
    return new E2eEngine({ ...this.#options, endpoint });
  }

  run(...args: readonly string[]): Promise<Ran> {
    return run([...this.#command, ...args], { env: this.#env });
  }

  async ok(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`${this.kind}: ${args.join(' ')} ends with ${code}: ${stderr}`);
    return stdout.trim();
  }

  /** A shell command in a container, as whoever sessions are there. */
  exec(container: string, script: string): Promise<Ran> {
    return this.run('exec', container, '/bin/sh', '-c', script);
  }

  async inspect(container: string): Promise<Inspected> {
    const [first] = JSON.parse(await this.ok('container', 'inspect', container)) as readonly Inspected[];
    if (!first) throw new Error(`${container} is not there`);
    return first;
  }

  /** Ids of all containers, running or not, that carry all of the labels (`key=value`). */
  async containers(...labels: readonly string[]): Promise<readonly string[]> {
    return lines(await this.ok('ps', '--all', '--quiet', '--no-trunc', ...filters(labels)));
  }

  async volumes(...labels: readonly string[]): Promise<readonly string[]> {
    return lines(await this.ok('volume', 'ls', '--quiet', ...filters(labels)));
  }

  async networks(...labels: readonly string[]): Promise<readonly string[]> {
    return lines(await this.ok('network', 'ls', '--quiet', ...filters(labels)));
  }

  /** Removes every container of Berth's that mounts something below a directory, which is a test's own. */
  async sweep(directory: string): Promise<void> {
    for (const id of await this.containers('dev.berth.owner=berth')) {
      const { code, stdout } = await this.run('container', 'inspect', id);
      if (code === 0 && stdout.includes(`${directory}/`)) await this.run('rm', '--force', id);
    }
  }
}

function filters(labels: readonly string[]): readonly string[] {
  return labels.flatMap((label) => ['--filter', `label=${label}`]);
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
