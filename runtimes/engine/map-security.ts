import type { ContainerSecurity } from '../runtime';
import type { CapabilityReport, Dialect } from './dialect';
import { strings, type HostConfigReply } from './replies';

export function mapSecurity(host: HostConfigReply, { capabilities }: Dialect): ContainerSecurity {
  const capDrop = names(host.CapDrop);
  const capAdd = names(host.CapAdd);
  const privileged = host.Privileged === true;
  return {
    noNewPrivileges: strings(host.SecurityOpt).some((option) => /^no-new-privileges([:=]true)?$/.test(option)),
    privileged,
    ...(capabilities && !privileged ? asWished({ capDrop, capAdd }, capabilities) : { capDrop, capAdd }),
  };
}

function names(value: unknown): string[] {
  return strings(value)
    .map((name) => name.toUpperCase().replace(/^CAP_/, ''))
    .toSorted();
}

interface Capabilities {
  readonly capDrop: readonly string[];
  readonly capAdd: readonly string[];
}

/**
 * An engine that reports a difference from some list of its own tells what the container has, not what was asked for.
 * Several wishes end in the same set; the shortest of them is the one that somebody would write.
 */
function asWished(reported: Capabilities, { defaults, reference }: CapabilityReport): Capabilities {
  const has = union(without(reference, reported.capDrop), reported.capAdd);
  const fromAll = { capDrop: ['ALL'], capAdd: has };
  const fromDefaults = { capDrop: without(defaults, has), capAdd: without(has, defaults) };
  return size(fromAll) < size(fromDefaults) ? fromAll : fromDefaults;
}

function size({ capDrop, capAdd }: Capabilities): number {
  return capDrop.length + capAdd.length;
}

function without(list: readonly string[], taken: readonly string[]): string[] {
  return list.filter((name) => !taken.includes(name)).toSorted();
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])].toSorted();
}
