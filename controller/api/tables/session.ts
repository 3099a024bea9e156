import { type Column, created, field, name, ready, status, upToDate, wide } from './columns';

export const sessionColumns: readonly Column[] = [
  name,
  field('Project', 'Project that it works in.', 'spec.project'),
  field('Agent', 'Agent that it runs.', 'status.agent', 'spec.agent'),
  status,
  ready,
  upToDate,
  created,
  wide(field('Sandbox', 'Sandbox that it runs in; none on the host.', 'status.sandbox', 'spec.sandbox')),
  wide(field('Workdir', 'Directory that it was started in.', 'status.workdir')),
];
