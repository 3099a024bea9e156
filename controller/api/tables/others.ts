import { type Column, created, field, name, ready, status, wide } from './columns';

export const sandboxTemplateColumns: readonly Column[] = [
  name,
  field('Image', 'Image of sandboxes made from it.', 'spec.image.reference'),
  ready,
  created,
  wide(field('CPUs', 'Processor limit.', 'spec.limits.cpus')),
  wide(field('Memory', 'Memory limit.', 'spec.limits.memory')),
  wide(field('Network', 'What its sandboxes can reach.', 'spec.network.mode')),
];

export const credentialShareColumns: readonly Column[] = [
  name,
  field('Type', 'What is shared.', 'spec.type'),
  status,
  ready,
  created,
  wide(field('Sandboxes', 'Sandboxes that have it.', 'status.sandboxes', 'spec.sandboxes')),
];

export const agentColumns: readonly Column[] = [
  name,
  field('Command', 'Program that it starts.', 'spec.command'),
  ready,
  created,
];

export const manifestSourceColumns: readonly Column[] = [
  name,
  field('URL', 'Repository that manifests come from.', 'spec.url'),
  field('Revision', 'Last revision applied.', 'status.revision', 'status.lastAppliedRevision'),
  ready,
  created,
];
