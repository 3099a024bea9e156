import type { Runtime } from '../runtime';
import { engineChanges } from './changes';
import { EngineClient, type Timers } from './client';
import { engineContainers } from './containers';
import type { Dialect } from './dialect';
import { parseEndpoint } from './endpoint';
import { engineExecs } from './execs';
import { engineImages } from './images';
import { probeEngine } from './probe';
import { engineVolumes } from './volumes';

export interface DriverOptions {
  readonly endpoint: string;
  readonly timers: Timers;
  /** Whether the engine's programs are on this machine; it decides between "not installed" and "not running". */
  readonly installed: () => boolean;
}

/** A driver for any engine with Docker's API; the dialect is all that differs. Opens nothing, so nothing is to close. */
export function createDriver(dialect: Dialect, { endpoint, timers, installed }: DriverOptions): Runtime {
  const client = new EngineClient({ dialect, endpoint, installed }, parseEndpoint(endpoint), timers);
  return {
    kind: dialect.kind,
    endpoint,
    containers: engineContainers(client),
    images: engineImages(client),
    execs: engineExecs(client),
    volumes: engineVolumes(client),
    probe: (options) => probeEngine(client, options?.signal),
    changes: (labels, signal) => engineChanges(client, labels, signal),
  };
}
