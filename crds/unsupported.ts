import type { EffectiveSandboxSpec } from './effective';
import type { Kind } from './meta';
import type { SandboxSpec } from './sandbox';
import type { SessionSpec } from './session';
import type { SettingsSpec } from './settings';

/**
 * What a spec asks for that this version does not do and that must not be passed over in silence, because leaving it
 * out would run something with fewer bounds, or something else, than was declared. One sentence each, sorted; empty
 * when there is nothing. Takes a validated spec, and for sandboxes also one that is merged with its template.
 */
export function unsupportedYet(kind: Kind, spec: unknown): string[] {
  switch (kind) {
    case 'Settings':
      return settings(spec as SettingsSpec);
    case 'Sandbox':
    case 'SandboxTemplate':
      return sandbox(spec as SandboxLike);
    case 'Session':
      return session(spec as SessionSpec);
    case 'Project':
    case 'CredentialShare':
    case 'Agent':
    case 'ManifestSource':
      return [];
  }
}

type SandboxLike = Pick<Partial<SandboxSpec & EffectiveSandboxSpec>, 'network' | 'security' | 'volumes'> & {
  readonly user?: string;
  readonly reclaimPolicy?: string;
};

function sandbox(spec: SandboxLike): string[] {
  const security: Partial<EffectiveSandboxSpec['security']> = spec.security ?? {};
  return sentences({
    'spec.network.mode: Outbound': spec.network?.mode === 'Outbound',
    'spec.security.privileged: true': security.privileged === true,
    'spec.security.capAdd': isFilled(security.capAdd),
    'spec.security.securityOptions': isFilled(security.securityOptions),
    'spec.security.selinuxRelabel: true': security.selinuxRelabel === true,
    'spec.security.extraRunArgs': isFilled(security.extraRunArgs),
    'spec.volumes': isFilled(spec.volumes),
    'spec.user: Root': spec.user === 'Root',
    'spec.reclaimPolicy: Retain': spec.reclaimPolicy === 'Retain',
  });
}

function settings(spec: SettingsSpec): string[] {
  return sentences({ 'spec.runtime.kind: AppleContainer': spec.runtime.kind === 'AppleContainer' });
}

function session(spec: SessionSpec): string[] {
  return sentences({ 'spec.image': spec.image !== undefined });
}

function isFilled(list: readonly unknown[] | undefined): boolean {
  return (list ?? []).length > 0;
}

function sentences(found: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(found)
    .filter(([, present]) => present)
    .map(([field]) => `${field} is not supported yet`)
    .toSorted();
}
