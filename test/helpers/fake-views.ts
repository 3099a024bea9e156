import { SANDBOX_DEFAULTS } from '../../crds/defaults';
import { resolveSandbox } from '../../crds/effective';
import type { SandboxDesired } from '../../reconcilers/sandbox/desired';
import type { SandboxObserved } from '../../reconcilers/sandbox/observed';
import { containerSpec, withHashes } from '../../reconcilers/sandbox/spec';
import type { ContainerSpec, EngineProbe, ImageState, PresentContainer } from '../../runtimes/runtime';

/** When everything in these views is looked at, in milliseconds since the epoch. */
export const NOW = Date.parse('2026-01-01T12:00:00Z');

const ENFORCED = { enforced: true } as const;

export const PROBE: EngineProbe = {
  kind: 'Fake',
  version: '1.0.0',
  apiVersion: '1.0',
  endpoint: 'fake:',
  rootless: false,
  cgroupVersion: '2',
  storageDriver: 'memory',
  identity: 'UidGid',
  limits: { cpus: ENFORCED, memory: ENFORCED, processes: ENFORCED, storage: ENFORCED },
  notEchoed: [],
};

export const IMAGE: ImageState = { id: 'sha256:tools', labels: {}, environment: { LANG: 'C.UTF-8' } };

/** A sandbox that is declared to run with one project. */
export function desiredOf(change: Partial<SandboxDesired> = {}): SandboxDesired {
  return {
    key: { kind: 'Sandbox', name: 'main' },
    uid: 'uid-of-main',
    generation: 1,
    deleting: false,
    manifest: { origin: { type: 'File', path: '/m/main.yaml', line: 1 }, problems: [], warnings: [] },
    prune: false,
    dedicated: false,
    containerName: 'berth-main-0123abcd',
    instance: '0123abcd4567ef89',
    engine: { kind: 'Docker' },
    effective: resolveSandbox({ projects: ['web'] }, {}, { mountPath: SANDBOX_DEFAULTS.mountPath }),
    projects: [{ name: 'web', path: '/src/web' }],
    mounts: [{ role: 'workspace', type: 'bind', source: '/src/web', target: '/src/web', readOnly: false }],
    ...change,
  };
}

export function specOf(
  desired = desiredOf(),
  change: Partial<Parameters<typeof containerSpec>[0]> = {},
): ContainerSpec {
  const user = { uid: 1234, gid: 1234 };
  return withHashes(
    containerSpec({ desired, probe: PROBE, imageId: IMAGE.id, user, home: '/data/main', nonce: 'n1', ...change }),
  );
}

/** A container made from the spec, as an engine that echoes everything reports it. */
export function containerOf(spec = specOf(), change: Partial<PresentContainer> = {}): PresentContainer {
  return {
    present: true,
    id: 'c1',
    name: spec.name,
    labels: spec.labels,
    running: true,
    paused: false,
    startedAt: new Date(NOW - 3_600_000).toISOString(),
    oomKilled: false,
    facts: {
      imageId: spec.imageId,
      command: spec.command,
      user: `${spec.user.uid}:${spec.user.gid}`,
      mounts: spec.mounts.map(({ role, ...mount }) => mount),
      limits: spec.limits,
      network: spec.network,
      environment: { ...IMAGE.environment, ...spec.environment },
      ports: spec.ports,
      security: spec.security,
      restart: spec.restart,
    },
    ...change,
  };
}

/** Nothing is there yet but an engine and the image. */
export function observedOf(change: Partial<SandboxObserved> = {}): SandboxObserved {
  return {
    probe: PROBE,
    container: { present: false },
    ownership: 'None',
    nameHeld: false,
    image: IMAGE,
    imageIsFresh: true,
    moved: false,
    nonce: 'n1',
    home: '/data/main',
    hasFiles: false,
    servedAt: 0,
    replaced: [],
    forbidden: [],
    recovery: { starts: 0, lastAt: 0, generation: 0 },
    now: NOW,
    user: { uid: 1234, gid: 1234 },
    ...change,
  };
}

/** Ours is there. */
export function observedWith(container: PresentContainer, change: Partial<SandboxObserved> = {}): SandboxObserved {
  return observedOf({ container, ownership: 'Ours', ...change });
}
