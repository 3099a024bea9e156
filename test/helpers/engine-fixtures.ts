import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dockerDialect } from '../../runtimes/docker/dialect';
import type { Dialect } from '../../runtimes/engine/dialect';
import { podmanDialect } from '../../runtimes/podman/dialect';
import type { ContainerSpec } from '../../runtimes/runtime';

/** What a real engine said, as scripts/capture-fixtures.mjs wrote it down. */
export interface Recorded {
  readonly name: string;
  readonly dialect: Dialect;
  readonly spec: ContainerSpec;
  readonly read: (fixture: string) => unknown;
  /** Replies that failed, by what was tried; null where the engine took it. */
  readonly errors: Readonly<Record<string, unknown>>;
}

function recorded(name: string, dialect: Dialect): Recorded {
  const read = (fixture: string): unknown =>
    JSON.parse(readFileSync(join(__dirname, '../fixtures', name, `${fixture}.json`), 'utf8'));
  const errors = read('errors') as Readonly<Record<string, unknown>>;
  return { name, dialect, spec: read('spec') as ContainerSpec, read, errors };
}

export const DOCKER = recorded('docker-20.10', dockerDialect);
export const PODMAN = recorded('podman-4.3', podmanDialect);
export const RECORDED = [DOCKER, PODMAN];
