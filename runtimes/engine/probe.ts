import { RuntimeError } from '../errors';
import type { EngineProbe, IdentityMapping, LimitSupport } from '../runtime';
import { DEADLINE_MS, unless, type EngineClient } from './client';
import type { Dialect } from './dialect';
import type { EngineFacts, EngineInfo, LibpodInfo, VersionReply } from './replies';

export interface ProbeReplies {
  readonly version: VersionReply;
  readonly info: EngineInfo;
  readonly libpod: LibpodInfo | undefined;
}

export async function probeEngine(client: EngineClient, signal: AbortSignal | undefined): Promise<EngineProbe> {
  const about = { operation: 'checking the container runtime', deadlineMs: DEADLINE_MS.query };
  const { dialect, endpoint } = client.identity;
  const replies = await client.call({ ...about, ...(signal ? { signal } : {}) }, async (abortSignal) => {
    // All at once: each takes Podman a fifth of a second. The version in the path is the oldest that we support.
    const libpodPath = dialect.libpod ? '/v4.0.0/libpod/info' : undefined;
    const [version, info, libpod] = await Promise.all([
      client.get('/version', abortSignal),
      client.get('/info', abortSignal),
      // Another engine at the endpoint has no such path; its version is what tells.
      libpodPath === undefined ? undefined : unless([404], client.get(libpodPath, abortSignal)),
    ]);
    return { version, info, libpod };
  });
  return describeEngine(dialect, endpoint, replies);
}

/** What the replies say about the engine. Throws when it is too old, another engine, or set up so that we can't use it. */
export function describeEngine(dialect: Dialect, endpoint: string, replies: ProbeReplies): EngineProbe {
  const { version, info, libpod } = replies;
  const found = version.Version ?? '';
  requireKind(dialect, version);
  requireVersion(dialect, found);
  const facts = dialect.readFacts(info, libpod);
  if (facts.userNamespaceRemapped) throw remapped(dialect);
  const driver = info.Driver ?? '';
  return {
    kind: dialect.kind,
    version: found,
    apiVersion: version.ApiVersion ?? '',
    endpoint,
    rootless: facts.rootless,
    cgroupVersion: facts.cgroupVersion,
    storageDriver: driver,
    identity: identity(dialect, facts),
    limits: { ...facts.limits, storage: storageSupport(driver) },
    notEchoed: dialect.notEchoed,
  };
}

function requireKind(dialect: Dialect, version: VersionReply): void {
  const names = (version.Components ?? []).map(({ Name }) => Name ?? '');
  // Old engines name no components; a name of the other engine is what tells.
  const other = names.find((name) => / ?Engine$/.test(name) && name !== dialect.component);
  if (other === undefined) return;
  const detail = `the endpoint is ${other === 'Engine' ? 'Docker' : other.replace(/ Engine$/, '')}, not ${dialect.kind}`;
  throw new RuntimeError({ code: 'InvalidSpec', failure: { cause: 'Unknown', slots: { detail } }, detail });
}

function requireVersion(dialect: Dialect, version: string): void {
  if (compareVersions(version, dialect.minimumVersion) >= 0) return;
  const slots = { runtime: dialect.kind, version, minimum: dialect.minimumVersion };
  const detail = `${dialect.kind} ${version} is older than ${dialect.minimumVersion}`;
  throw new RuntimeError({ code: 'Unavailable', failure: { cause: 'VersionTooOld', slots }, detail });
}

/** By the leading numbers alone: `20.10.24+dfsg1` is newer than `20.10`, and a name of a build is no number. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const place = right.findIndex((number, index) => number !== (left[index] ?? 0));
  return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
}

function numbers(version: string): number[] {
  return (/^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '0').split('.').map(Number);
}

/** With it, a person's uid inside is some other uid outside, and nothing that is made belongs to them. */
function remapped(dialect: Dialect): RuntimeError {
  const detail = `${dialect.kind} runs with userns-remap, under which files made in a sandbox would not belong to you`;
  return new RuntimeError({ code: 'InvalidSpec', failure: { cause: 'Unknown', slots: { detail } }, detail });
}

function identity(dialect: Dialect, { rootless }: EngineFacts): IdentityMapping {
  if (!rootless) return 'UidGid';
  return dialect.kind === 'Podman' ? 'KeepId' : 'ContainerRoot';
}

/** Btrfs and zfs give each container a quota of its own. The overlays take the number and may not hold it. */
function storageSupport(driver: string): LimitSupport {
  if (driver === 'btrfs' || driver === 'zfs') return { enforced: true };
  if (driver === '') return { enforced: false, reason: 'the engine does not say how it stores containers' };
  const overlay = ['overlay', 'overlay2', 'overlayfs'].includes(driver);
  const reason = overlay
    ? `the ${driver} storage driver limits a container only with project quotas, which the engine does not tell of`
    : `the ${driver} storage driver has no limit for each container`;
  return { enforced: false, reason };
}
