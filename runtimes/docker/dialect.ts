import type { Dialect } from '../engine/dialect';
import type { EngineFacts, EngineInfo } from '../engine/replies';
import { cgroupVersion, support } from '../engine/support';
import type { LimitSupport } from '../runtime';

/** Docker Engine: the API is its own, so little is left to say. */
export const dockerDialect: Dialect = {
  kind: 'Docker',
  command: 'docker',
  component: 'Engine',
  // The first that tells its cgroup version and works with either.
  minimumVersion: '20.10',
  phrases: {
    notPermitted: [],
    nameTaken: ['is already in use by container'],
    containerPaused: ['is paused', 'a paused container'],
    containerStopped: ['is not running', 'is restarting', 'is marked for removal'],
    mountRejected: [
      'invalid mount config',
      'bind source path does not exist',
      'error mounting',
      'error while creating mount source path',
      'mounts denied',
    ],
  },
  createsMissingSources: false,
  addedEnvironment: [],
  libpod: false,
  readFacts: readDockerFacts,
  notEchoed: [],
};

function readDockerFacts(info: EngineInfo): EngineFacts {
  const options = info.SecurityOptions ?? [];
  const has = (name: string): boolean => options.some((option) => option.split(',').includes(`name=${name}`));
  return {
    rootless: has('rootless'),
    userNamespaceRemapped: has('userns'),
    cgroupVersion: cgroupVersion(info.CgroupVersion),
    limits: {
      cpus: support(info.CpuCfsQuota === true, 'the kernel has no CPU quota, or Docker may not use it'),
      memory: memorySupport(info),
      processes: support(info.PidsLimit === true, 'the kernel has no process limit, or Docker may not use it'),
    },
  };
}

function memorySupport(info: EngineInfo): LimitSupport {
  if (info.MemoryLimit !== true) return support(false, 'the kernel has no memory limit, or Docker may not use it');
  if (info.SwapLimit !== false) return { enforced: true };
  const reason = 'the kernel cannot limit swap, so memory beyond the limit would be swapped';
  return { enforced: false, reason, partly: true };
}
