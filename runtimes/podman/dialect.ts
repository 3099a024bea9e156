import type { Dialect } from '../engine/dialect';
import type { EngineFacts, EngineInfo, LibpodInfo } from '../engine/replies';
import { cgroupVersion, support } from '../engine/support';
import type { LimitSupport } from '../runtime';

const DEFAULT_CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/** Podman behind its Docker-compatible API; what differs was seen on 4.3.1. */
export const podmanDialect: Dialect = {
  kind: 'Podman',
  command: 'podman',
  component: 'Podman Engine',
  // The first with keep-id through the compatible API and the netavark network.
  minimumVersion: '4.0',
  phrases: {
    notPermitted: [
      'no subuid ranges found',
      'no subgid ranges found',
      'check rootless mode',
      'insufficient uids or gids',
    ],
    nameTaken: ['that name is already in use'],
    containerPaused: ['is paused', 'in state paused'],
    containerStopped: ['container state improper'],
    mountRejected: ['making volume mountpoint', 'error mounting', 'statfs '],
  },
  createsMissingSources: true,
  addedEnvironment: ['PATH', 'TERM', 'container', 'HOME', 'HOSTNAME'],
  capabilities: {
    defaults: DEFAULT_CAPABILITIES,
    reference: [...DEFAULT_CAPABILITIES, 'AUDIT_WRITE', 'MKNOD', 'NET_RAW'],
  },
  libpod: true,
  readFacts: readPodmanFacts,
  // Limits: ignored ones come back as none, and where none was asked for the engine's own process limit is shown.
  // Ports: dropped where there is no network. Capabilities: a difference, in which several wishes end alike.
  notEchoed: ['limits', 'ports', 'security'],
};

function readPodmanFacts(info: EngineInfo, libpod: LibpodInfo | undefined): EngineFacts {
  const host = libpod?.host;
  const facts = {
    rootless: host?.security?.rootless === true,
    userNamespaceRemapped: false,
    cgroupVersion: cgroupVersion(host?.cgroupVersion ?? info.CgroupVersion),
  };
  const limit = (controller: string, known: boolean): LimitSupport => {
    if (ignoresLimits(facts)) return support(false, 'rootless Podman cannot limit resources on cgroup version 1');
    const given = facts.rootless ? (host?.cgroupControllers ?? []).includes(controller) : known;
    return support(given, `the ${controller} cgroup controller is not delegated to this user`);
  };
  return {
    ...facts,
    limits: {
      cpus: limit('cpu', info.CpuCfsQuota === true),
      memory: limit('memory', info.MemoryLimit === true),
      processes: limit('pids', info.PidsLimit === true),
    },
  };
}

/** It takes the numbers, and then neither applies nor reports them. */
function ignoresLimits(facts: Pick<EngineFacts, 'rootless' | 'cgroupVersion'>): boolean {
  return facts.rootless && facts.cgroupVersion === '1';
}
