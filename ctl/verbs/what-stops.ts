import { isTrue } from '../../crds/conditions';
import type { Resource } from '../../crds/meta';
import type { SessionSpec, SessionStatus } from '../../crds/session';
import type { ApiClient } from '../../controller/api/client';
import { printable } from '../../controller/api/wire/printable';
import { resourceOf } from '../../controller/api/wire/resources';
import type { List } from '../../controller/api/wire/types';

/** What ends when these objects are deleted: one line for each running thing, empty when all is at rest. */
export async function whatStops(client: ApiClient, doomed: readonly Resource[]): Promise<readonly string[]> {
  if (!doomed.some(({ kind }) => kind === 'Sandbox' || kind === 'Session')) return [];
  const sessions = (await client.send<List<Resource>>({ path: resourceOf('Session').path })).items;
  const lines = doomed.flatMap((object) => linesFor(object, sessions));
  return [...new Set(lines)];
}

function linesFor(object: Resource, sessions: readonly Resource[]): string[] {
  if (object.kind === 'Session') return isReady(object) ? [sessionLine(object)] : [];
  if (object.kind !== 'Sandbox') return [];
  const inside = sessions.filter((session) => isReady(session) && sandboxOf(session) === object.metadata.name);
  const own = isReady(object) ? [`This stops sandbox "${printable(object.metadata.name)}".`] : [];
  return [...own, ...inside.map(sessionLine)];
}

function sessionLine(session: Resource): string {
  const { activity } = statusOf(session);
  const doing = activity === 'Working' ? ', which is working' : '';
  return `This stops session "${printable(session.metadata.name)}"${doing}.`;
}

/** What a sandbox's status has in common with it is the conditions. */
function statusOf(object: Resource): Partial<SessionStatus> {
  return object.status ?? {};
}

function isReady(object: Resource): boolean {
  return isTrue(statusOf(object).conditions, 'Ready');
}

function sandboxOf(session: Resource): string | undefined {
  return statusOf(session).sandbox ?? (session.spec as SessionSpec).sandbox;
}
