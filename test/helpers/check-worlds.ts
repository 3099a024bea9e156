import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Condition } from '../../crds/conditions';
import type { Resource } from '../../crds/meta';
import { sessionsIn } from './fake-sessions';
import type { World } from './world';

/** A world at rest as it can be compared with another one: no ids, no times, no paths of its own. */
export function shapeOf(world: World): unknown {
  const shape = {
    containers: world.containers().map((container) => {
      const { labels, ...spec } = container.spec;
      const sessions = sessionsIn(container).map(({ pid }) => container.processes.get(pid)?.request.command.slice(6));
      return {
        spec,
        labels: Object.keys(labels).sort(),
        running: container.running,
        starts: container.starts,
        sessions,
      };
    }),
    objects: world.objects().map(objectShape),
    files: filesBelow(join(world.root, 'berth/data')),
  };
  return neutral(shape, world);
}

function objectShape({ kind, metadata, status }: Resource): unknown {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly Condition[] };
  const said = conditions.map(({ type, status: answer, reason, message }) => [type, answer, reason, message]);
  const { name, finalizers, deletionTimestamp } = metadata;
  return { kind, name, finalizers, deleting: deletionTimestamp !== undefined, said };
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
}

/** The same words whatever the world's own directory, instance and ids are. */
function neutral(shape: unknown, { root, controller }: World): unknown {
  const text = JSON.stringify(shape)
    .replaceAll(root, '<root>')
    .replaceAll(controller.instance.slice(0, 8), '<instance>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>');
  return JSON.parse(text) as unknown;
}
