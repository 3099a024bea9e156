import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerHint, Runtime } from '../../runtimes/runtime';

export type Distort = (hints: AsyncIterable<ContainerHint>) => AsyncIterable<ContainerHint>;

/** What SQLite needs to find everything again that was written before the end; the index of its log is made anew. */
const DURABLE = ['state.db', 'state.db-wal'];

/**
 * One controller's life. Dying is instantaneous: from then on the engine hears nothing of it, and what is on disk at
 * that moment is all that the next one finds, whatever the dead one's code still does while it is swept up.
 */
export class Life {
  readonly #state: string;
  readonly #kept: string;
  readonly #distort: Distort;
  #alive = true;

  constructor(stateDirectory: string, distort: Distort = (hints) => hints) {
    this.#distort = distort;
    this.#state = stateDirectory;
    this.#kept = `${stateDirectory}.kept`;
  }

  get alive(): boolean {
    return this.#alive;
  }

  die(): void {
    if (!this.#alive) return;
    this.#alive = false;
    rmSync(this.#kept, { recursive: true, force: true });
    mkdirSync(this.#kept);
    for (const name of DURABLE) {
      if (existsSync(join(this.#state, name))) copyFileSync(join(this.#state, name), join(this.#kept, name));
    }
  }

  /** Once nothing has the dead one's files open any more: puts back what was on disk when it died. */
  bury(): void {
    rmSync(this.#state, { recursive: true, force: true });
    renameSync(this.#kept, this.#state);
  }

  /** The runtime as this controller has it: of a dead one no call comes through. */
  link(runtime: Runtime): Runtime {
    const changes: Runtime['changes'] = async (labels, signal) => this.#distort(await runtime.changes(labels, signal));
    return this.#cut({ ...runtime, changes });
  }

  #cut<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'object' && value !== null) return this.#cut(value);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]): Promise<unknown> => {
          await this.#check();
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  }

  async #check(): Promise<void> {
    return this.#alive ? Promise.resolve() : Promise.reject(new Error('the controller has crashed'));
  }
}
