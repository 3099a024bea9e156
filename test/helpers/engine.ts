import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RuntimeError } from '../../runtimes/errors';
import { instanceSelector, LABELS } from '../../runtimes/labels';
import type { ContainerSpec, IdentityMapping, PresentContainer, Runtime } from '../../runtimes/runtime';

/** The image that `npm run image` makes. */
export const TEST_IMAGE = 'localhost/berth/sandbox:dev';

/** Removing everything that a suite made, on a busy machine. */
export const SWEEP_TIMEOUT_MS = 60_000;

export interface EngineHarness {
  readonly runtime: Runtime;
  readonly imageId: string;
  /** The person whose files the container's should be. */
  readonly user: { readonly uid: number; readonly gid: number };
  readonly identity: IdentityMapping;
  /** What a person does to a container by the engine's own command; rejects where the engine refuses. */
  readonly byHand: (id: string, what: 'pause' | 'unpause' | `rename?name=${string}`) => Promise<void>;
}

/** One suite's corner of an engine: everything made in it carries its label, and is gone after `sweep`. */
export class Corner {
  readonly labels = instanceSelector(`test-${randomBytes(6).toString('hex')}`);
  readonly #directories: string[] = [];
  #names = 0;

  constructor(readonly harness: EngineHarness) {}

  get runtime(): Runtime {
    return this.harness.runtime;
  }

  name(): string {
    this.#names += 1;
    return `berth-${this.labels[LABELS.instance]}-${this.#names}`;
  }

  spec(parts: Partial<ContainerSpec> = {}): ContainerSpec {
    return {
      name: this.name(),
      labels: this.labels,
      imageId: this.harness.imageId,
      command: ['sleep', 'infinity'],
      workdir: '/',
      user: this.harness.user,
      identity: this.harness.identity,
      environment: {},
      mounts: [],
      limits: {},
      network: 'none',
      ports: [],
      security: { noNewPrivileges: true, privileged: false, capDrop: ['ALL'], capAdd: [] },
      restart: 'no',
      ...parts,
    };
  }

  /** Creates and starts; resolves to the id. */
  async run(parts: Partial<ContainerSpec> = {}): Promise<string> {
    const id = await this.runtime.containers.create(this.spec(parts));
    await this.runtime.containers.start(id);
    return id;
  }

  /** A host directory that belongs to the harness's user, without a link in its path. */
  async directory(): Promise<string> {
    const root = await mkdtemp(join(tmpdir(), 'berth-test-'));
    this.#directories.push(root);
    const path = join(root, 'shared');
    await mkdir(path);
    for (const made of [root, path]) await chown(made, this.harness.user.uid, this.harness.user.gid);
    return path;
  }

  async sweep(): Promise<void> {
    const { containers, volumes } = this.runtime;
    const left = await containers.list(this.labels);
    await Promise.all(left.map(({ id }) => containers.remove(id)));
    for (const name of await volumes.list(this.labels)) await volumes.remove(name);
    for (const path of this.#directories) await rm(path, { recursive: true, force: true });
  }
}

/** The container, which must be there. */
export async function present(runtime: Runtime, ref: string): Promise<PresentContainer> {
  const state = await runtime.containers.observe(ref);
  if (!state.present) throw new Error(`there is no container ${ref}`);
  return state;
}

/** What the call failed with; a call that succeeds is a failed test. */
export async function failureOf(call: Promise<unknown>): Promise<Pick<RuntimeError, 'code' | 'failure' | 'detail'>> {
  const outcome = await call.then(
    () => 'no error',
    (error: unknown) => error,
  );
  if (!(outcome instanceof RuntimeError)) throw new Error(`expected a RuntimeError, got ${String(outcome)}`);
  return { code: outcome.code, failure: outcome.failure, detail: outcome.detail };
}

/** Waits for a condition; the message says what never came. */
export async function eventually(
  what: string,
  holds: () => Promise<boolean> | boolean,
  timeoutMs = 8000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
