import type { CallOptions, EngineProbe, Runtime } from './runtime';

/** Which engine is meant: the kind, and the endpoint when a person named one. */
export interface EngineChoice {
  readonly kind: string;
  readonly endpoint?: string;
}

/** A reachable engine and what it is known to do. */
export interface Engine {
  readonly runtime: Runtime;
  readonly probe: EngineProbe;
}

/** How the rest of the program comes by an engine. */
export interface EngineProvider {
  /**
   * The chosen engine, probed once until it is forgotten; `fresh` probes it again. Throws a RuntimeError when it can't be
   * had.
   */
  connect(choice: EngineChoice, options?: CallOptions & { readonly fresh?: boolean }): Promise<Engine>;
  /** The next `connect` asks anew: the engine went away, or may have come back as another version. */
  forget(runtime: Pick<Runtime, 'kind' | 'endpoint'>): void;
}

/**
 * Keeps one connection an engine. A failed probe is not kept: the next pass asks again. Whoever finds out that an engine
 * that answered does so no longer, `onLost` is called once, for all who went by its answer.
 */
export class Engines implements EngineProvider {
  readonly #open: (choice: EngineChoice) => Runtime;
  readonly #onLost: () => void;
  readonly #engines = new Map<string, Promise<Engine>>();
  /** Those that answered when they were last asked. */
  readonly #up = new Set<string>();

  constructor(open: (choice: EngineChoice) => Runtime, onLost: () => void = () => undefined) {
    this.#open = open;
    this.#onLost = onLost;
  }

  async connect(choice: EngineChoice, options?: CallOptions & { readonly fresh?: boolean }): Promise<Engine> {
    const runtime = this.#find(choice);
    const id = idOf(runtime);
    const standing = options?.fresh ? undefined : this.#engines.get(id);
    if (standing) return standing;
    const connecting = runtime.probe(options).then((probe) => ({ runtime, probe }));
    this.#engines.set(id, connecting);
    connecting.then(
      () => this.#up.add(id),
      () => {
        if (this.#engines.get(id) === connecting) this.#engines.delete(id);
        this.#lose((up) => up === id);
      },
    );
    return connecting;
  }

  forget(runtime: Pick<Runtime, 'kind' | 'endpoint'>): void {
    const id = idOf(runtime);
    this.#engines.delete(id);
    this.#lose((up) => up === id);
  }

  /** Something happened to the engine in use: all are asked anew. */
  forgetAll(): void {
    this.#engines.clear();
    this.#lose(() => true);
  }

  /** An engine whose socket has gone is not even found. */
  #find(choice: EngineChoice): Runtime {
    try {
      return this.#open(choice);
    } catch (error) {
      this.#lose((up) => up.startsWith(`${choice.kind} `));
      throw error;
    }
  }

  #lose(isMeant: (id: string) => boolean): void {
    const lost = [...this.#up].filter(isMeant);
    for (const id of lost) {
      this.#up.delete(id);
      this.#engines.delete(id);
    }
    if (lost.length > 0) this.#onLost();
  }
}

function idOf({ kind, endpoint }: Pick<Runtime, 'kind' | 'endpoint'>): string {
  return `${kind} ${endpoint}`;
}
