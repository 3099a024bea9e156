import type { ContainerFacts, ContainerLimits, PortBinding, PresentContainer } from '../runtime';
import { ENVIRONMENT_SET } from './environment-label';
import type { Dialect } from './dialect';
import { mapSecurity } from './map-security';
import { isRecord, type HostConfigReply, type InspectReply, type Maybe, type MountReply } from './replies';

/** An engine's account of a container in our words; whatever is missing from it is missing here too. */
export function mapInspect(reply: InspectReply, dialect: Dialect): PresentContainer {
  return {
    present: true,
    id: reply.Id ?? '',
    name: (reply.Name ?? '').replace(/^\//, ''),
    labels: reply.Config?.Labels ?? {},
    ...mapState(reply.State ?? {}),
    facts: mapFacts(reply, dialect),
  };
}

type Life = Pick<PresentContainer, 'running' | 'paused' | 'oomKilled' | 'startedAt' | 'exitCode'>;

function mapState(state: NonNullable<InspectReply['State']>): Life {
  const running = [state.Running, state.Paused, state.Restarting].includes(true);
  const startedAt = time(state.StartedAt);
  const ended = !running && time(state.FinishedAt) !== undefined;
  return {
    running,
    paused: state.Paused === true,
    oomKilled: state.OOMKilled === true,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(ended ? { exitCode: state.ExitCode ?? 0 } : {}),
  };
}

/** Engines say year 1 for "never". */
function time(text: Maybe<string>): string | undefined {
  return !text || text.startsWith('0001-') ? undefined : text;
}

function mapFacts(reply: InspectReply, dialect: Dialect): ContainerFacts {
  const { Config: config, HostConfig: host } = reply;
  return {
    imageId: withDigest(reply.Image ?? ''),
    mounts: (reply.Mounts ?? []).map(mapMount).toSorted((a, b) => (a.target < b.target ? -1 : 1)),
    ...(config ? mapConfig(config, dialect) : {}),
    ...(host ? mapHostConfig(host, dialect) : {}),
    ...mapNetwork(reply),
  };
}

/** What it was made with, unless it was made with none and somebody connected it to one since. */
function mapNetwork({ HostConfig: host, NetworkSettings: settings }: InspectReply): Pick<ContainerFacts, 'network'> {
  const mode = host?.NetworkMode;
  if (!mode) return {};
  const others = Object.keys(settings?.Networks ?? {}).filter((name) => name !== 'none');
  return { network: mode === 'none' && others.length > 0 ? others.sort().join(',') : mode };
}

function mapConfig(config: NonNullable<InspectReply['Config']>, dialect: Dialect): Omit<ContainerFacts, 'imageId'> {
  return {
    environment: mapEnvironment(config.Env ?? [], config.Labels?.[ENVIRONMENT_SET], dialect),
    ...(config.Cmd ? { command: config.Cmd } : {}),
    ...(config.User ? { user: config.User } : {}),
  };
}

/** Some versions of the compatible API leave the algorithm out. */
export function withDigest(id: string): string {
  return /^[0-9a-f]{64}$/.test(id) ? `sha256:${id}` : id;
}

function mapHostConfig(host: HostConfigReply, dialect: Dialect): Omit<ContainerFacts, 'imageId'> {
  return {
    limits: mapLimits(host),
    ports: mapPorts(host.PortBindings),
    security: mapSecurity(host, dialect),
    restart: host.RestartPolicy?.Name || 'no',
  };
}

function mapMount(mount: MountReply): NonNullable<ContainerFacts['mounts']>[number] {
  const volume = mount.Type === 'volume';
  return {
    type: volume ? 'volume' : 'bind',
    source: (volume ? mount.Name : mount.Source) ?? '',
    target: mount.Destination ?? '',
    readOnly: mount.RW === false,
  };
}

function mapEnvironment(
  entries: readonly string[],
  asked: string | undefined,
  dialect: Dialect,
): Record<string, string> {
  const wanted = asked?.split(',') ?? [];
  const added = dialect.addedEnvironment.filter((name) => !wanted.includes(name));
  const pairs = entries.map((entry): [string, string] => {
    const [name = '', ...value] = entry.split('=');
    return [name, value.join('=')];
  });
  return Object.fromEntries(pairs.filter(([name]) => !added.includes(name)));
}

/** Zero and minus one both mean "no limit", depending on the engine's mood. */
function mapLimits(host: HostConfigReply): ContainerLimits {
  const positive = (value: Maybe<number>): number | undefined => (value && value > 0 ? value : undefined);
  const [cpus, memoryBytes, processes] = [positive(host.NanoCpus), positive(host.Memory), positive(host.PidsLimit)];
  const storageBytes = positive(Number(host.StorageOpt?.size ?? 0));
  return {
    ...(cpus === undefined ? {} : { milliCpus: Math.round(cpus / 1_000_000) }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(processes === undefined ? {} : { processes }),
    ...(storageBytes === undefined ? {} : { storageBytes }),
  };
}

function mapPorts(bindings: unknown): readonly PortBinding[] {
  if (!isRecord(bindings)) return [];
  const ports = Object.entries(bindings).flatMap(([key, hosts]) =>
    (Array.isArray(hosts) ? hosts : []).filter(isRecord).map((host) => ({
      hostAddress: typeof host.HostIp === 'string' ? host.HostIp : '',
      hostPort: Number(host.HostPort),
      containerPort: Number.parseInt(key, 10),
    })),
  );
  return ports.toSorted((a, b) => a.containerPort - b.containerPort || a.hostPort - b.hostPort);
}
