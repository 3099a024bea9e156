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

/** Keeps one connection a choice. A failed probe is not kept: the next pass asks again. */
export class Engines implements EngineProvider {
  readonly #open: (choice: EngineChoice) => Runtime;
  readonly #engines = new Map<string, Promise<Engine>>();

  constructor(open: (choice: EngineChoice) => Runtime) {
    this.#open = open;
  }

  async connect(choice: EngineChoice, options?: CallOptions & { readonly fresh?: boolean }): Promise<Engine> {
    const runtime = this.#open(choice);
    const id = idOf(runtime);
    const standing = options?.fresh ? undefined : this.#engines.get(id);
    if (standing) return standing;
    const connecting = runtime.probe(options).then((probe) => ({ runtime, probe }));
    this.#engines.set(id, connecting);
    connecting.catch(() => {
      if (this.#engines.get(id) === connecting) this.#engines.delete(id);
    });
    return connecting;
  }

  forget(runtime: Pick<Runtime, 'kind' | 'endpoint'>): void {
    this.#engines.delete(idOf(runtime));
  }

  /** Something happened to the engine in use: all are asked anew. */
  forgetAll(): void {
    this.#engines.clear();
  }
}

function idOf({ kind, endpoint }: Pick<Runtime, 'kind' | 'endpoint'>): string {
  return `${kind} ${endpoint}`;
}
