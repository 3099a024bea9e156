import type { ContainerCreateOptions, HostConfig, MountConfig } from 'dockerode';
import { ENVIRONMENT_SET } from './environment-label';
import type { ContainerSecurity, ContainerSpec, Mount, PortBinding } from '../runtime';
import type { Dialect } from './dialect';

/** The create request for a spec: a pure function of it, with nothing added that the spec does not say. */
export function mapSpec(spec: ContainerSpec, dialect: Dialect): ContainerCreateOptions {
  return {
    name: spec.name,
    Image: spec.imageId,
    Cmd: [...spec.command],
    User: user(spec),
    WorkingDir: spec.workdir,
    Env: Object.entries(spec.environment).map(([name, value]) => `${name}=${value}`),
    Labels: labels(spec, dialect),
    ExposedPorts: Object.fromEntries(spec.ports.map((port) => [`${port.containerPort}/tcp`, {}])),
    HostConfig: {
      NetworkMode: spec.network,
      Mounts: spec.mounts.map(mapMount),
      PortBindings: portBindings(spec.ports),
      RestartPolicy: { Name: spec.restart },
      ...mapLimits(spec),
      ...mapSecurity(spec.security),
      ...(spec.identity === 'KeepId' ? { UsernsMode: 'keep-id' } : {}),
    },
  };
}

/** Rootless Docker maps the container's root to the person; everywhere else they are themselves. */
function user({ identity, user: { uid, gid } }: ContainerSpec): string {
  return identity === 'ContainerRoot' ? '0:0' : `${uid}:${gid}`;
}

/** Where the engine adds variables of its own, the label tells them from those that were asked for. */
function labels(spec: ContainerSpec, dialect: Dialect): Record<string, string> {
  const asked = dialect.addedEnvironment.filter((name) => name in spec.environment);
  return { ...spec.labels, ...(asked.length > 0 ? { [ENVIRONMENT_SET]: asked.join(',') } : {}) };
}

/** Typed mounts and not `Binds`: a missing source is then an error, and not a new directory that root owns. */
function mapMount({ type, source, target, readOnly }: Mount): MountConfig[number] {
  return { Type: type, Source: source, Target: target, ReadOnly: readOnly };
}

function portBindings(ports: readonly PortBinding[]): Record<string, { HostIp: string; HostPort: string }[]> {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const { containerPort, hostAddress, hostPort } of ports) {
    const key = `${containerPort}/tcp`;
    bindings[key] = [...(bindings[key] ?? []), { HostIp: hostAddress, HostPort: String(hostPort) }];
  }
  return bindings;
}

/** A limit that is not set is not in the request at all: zero would mean something else to some engines. */
function mapLimits({ limits }: ContainerSpec): HostConfig {
  const { milliCpus, memoryBytes, processes, storageBytes } = limits;
  return {
    ...(milliCpus === undefined ? {} : { NanoCpus: milliCpus * 1_000_000 }),
    ...(memoryBytes === undefined ? {} : { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(processes === undefined ? {} : { PidsLimit: processes }),
    ...(storageBytes === undefined ? {} : { StorageOpt: { size: String(storageBytes) } }),
  };
}

function mapSecurity(security: ContainerSecurity): HostConfig {
  return {
    Privileged: security.privileged,
    CapDrop: [...security.capDrop],
    CapAdd: [...security.capAdd],
    SecurityOpt: security.noNewPrivileges ? ['no-new-privileges'] : [],
  };
}
