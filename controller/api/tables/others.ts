import type { AgentSpec } from '../../../crds/agent';
import type { CredentialShareStatus } from '../../../crds/credential-share';
import type { Resource } from '../../../crds/meta';
import { at, type Column, created, field, name, NONE, ready, status, wide } from './columns';

export const sandboxTemplateColumns: readonly Column[] = [
  name,
  field('Image', 'Image of sandboxes made from it.', 'spec.image.reference'),
  ready,
  created,
  wide(field('CPUs', 'Processor limit.', 'spec.limits.cpus')),
  wide(field('Memory', 'Memory limit.', 'spec.limits.memory')),
  wide(field('Network', 'What its sandboxes can reach.', 'spec.network.mode')),
  wide(field('Sandboxes', 'Sandboxes made from it.', 'status.usedBy')),
];

export const credentialShareColumns: readonly Column[] = [
  name,
  field('Type', 'What is shared.', 'spec.type'),
  status,
  ready,
  created,
  wide({ name: 'Sandboxes', description: 'Sandboxes that it is meant for.', cell: sharedWith }),
];

export const agentColumns: readonly Column[] = [
  name,
  { name: 'Command', description: 'Program and arguments that it starts.', cell: commandLine },
  ready,
  created,
];

export const manifestSourceColumns: readonly Column[] = [
  name,
  field('URL', 'Repository that manifests come from.', 'spec.url'),
  field('Revision', 'Last revision applied.', 'status.revision'),
  ready,
  created,
];

function commandLine({ spec }: Resource): string {
  const { command = [] } = spec as Partial<AgentSpec>;
  return command.length === 0 ? NONE : command.join(' ');
}

function sharedWith(object: Resource): string {
  const { sandboxes = [] } = (object.status ?? {}) as Partial<CredentialShareStatus>;
  return sandboxes.length === 0 ? at(object, 'spec.sandboxes') : sandboxes.map(({ sandbox }) => sandbox).join(',');
}
