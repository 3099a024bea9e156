import { type Column, created, field, name, ready, wide } from './columns';

export const projectColumns: readonly Column[] = [
  name,
  field('Path', 'Directory on the host.', 'status.path', 'spec.path'),
  field('Access', 'Whether sandboxes may write to it.', 'spec.access'),
  ready,
  created,
  wide(field('Branch', 'Branch that is checked out.', 'status.git.head')),
  wide(field('Sandboxes', 'Sandboxes that have it.', 'status.usedBy')),
];
