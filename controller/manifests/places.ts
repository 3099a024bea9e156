import type { ScanOutcome } from './scanner';

/** Where the places are kept while no controller runs. */
export interface PlaceMemory {
  read(): string | undefined;
  write(text: string): void;
}

/**
 * Where manifests lie, as far as it was ever seen: a scan that could not look everywhere adds to what is known and takes
 * nothing away. A directory that can't be read for a moment must not let go of what it leads to.
 */
export class ManifestPlaces {
  readonly #memory: PlaceMemory;
  #places: readonly string[];

  constructor(memory: PlaceMemory) {
    this.#memory = memory;
    this.#places = JSON.parse(memory.read() ?? '[]') as string[];
  }

  get all(): readonly string[] {
    return this.#places;
  }

  saw({ places, complete }: Pick<ScanOutcome, 'places' | 'complete'>): void {
    const known = [...new Set(complete ? places : [...this.#places, ...places])].sort();
    if (known.join('\n') === this.#places.join('\n')) return;
    this.#places = known;
    this.#memory.write(JSON.stringify(known));
  }
}
