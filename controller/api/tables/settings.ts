import { type Column, created, field, name, ready, wide } from './columns';

export const settingsColumns: readonly Column[] = [
  name,
  field('Runtime', 'Container runtime of all sandboxes.', 'status.runtime.kind', 'spec.runtime.kind'),
  field('Version', 'What the runtime says of itself.', 'status.runtime.version'),
  ready,
  created,
  wide(field('Placement', 'Where sessions run that do not say.', 'spec.placement')),
  wide(field('Agent', 'Agent of sessions that do not say.', 'spec.agent')),
  wide(field('Endpoint', 'Where the runtime answers.', 'status.runtime.endpoint', 'spec.runtime.endpoint')),
];
