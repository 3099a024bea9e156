import type { Resource } from '../../../crds/meta';
import type { LimitStatus, SandboxStatus } from '../../../crds/sandbox';
import { at, type Column, created, field, name, NONE, ready, status, upToDate, wide } from './columns';

export const sandboxColumns: readonly Column[] = [
  name,
  field('Runtime', 'Container runtime that it runs on.', 'status.runtime.kind'),
  status,
  ready,
  upToDate,
  created,
  wide({
    name: 'Container',
    description: 'Id of the container, as short as engines show it.',
    cell: (object) => at(object, 'status.containerId').slice(0, 12),
  }),
  wide(field('Image', 'Image that the container was made from.', 'status.image.reference', 'spec.image.reference')),
  wide(limit('CPUs', 'Processor limit: in effect, or else asked for.', 'cpus')),
  wide(limit('Memory', 'Memory limit: in effect, or else asked for.', 'memory')),
  wide(field('Network', 'What it can reach.', 'status.network.mode', 'spec.network.mode')),
];

function limit(title: string, description: string, wanted: LimitStatus['name']): Column {
  return {
    name: title,
    description,
    cell: (object) => {
      const found = measuredLimits(object).find(({ name }) => name === wanted);
      return found === undefined ? at(object, `spec.limits.${wanted}`) : (found.effective ?? (found.requested || NONE));
    },
  };
}

function measuredLimits(object: Resource): readonly LimitStatus[] {
  return (object.status as Partial<SandboxStatus> | undefined)?.limits ?? [];
}
