import { EVENT_NAMESPACE, EVENTS } from '../controller/api/wire/resources';
import { toJson } from './print/json';
import type { TableStyle } from './print/table';
import type { Target } from './targets';

export const FORMATS = ['json', 'yaml', 'wide', 'name'] as const;
type Format = (typeof FORMATS)[number];

/** What `get` was told besides the types and names. */
export interface GetOptions {
  readonly output?: Format;
  readonly selector?: string;
  readonly watch?: boolean;
  readonly headers?: boolean;
  readonly showLabels?: boolean;
}

export function styleOf({ output, headers, showLabels }: GetOptions, qualify: boolean): TableStyle {
  return { wide: output === 'wide', headers: headers ?? true, labels: showLabels ?? false, qualify };
}

/** Where the API has a target. A single event is found in its namespace only. */
export function pathOf({ info, name }: Target): string {
  if (name === undefined) return info.path;
  const collection = info.plural === EVENTS.plural ? `/api/v1/namespaces/${EVENT_NAMESPACE}/events` : info.path;
  return `${collection}/${encodeURIComponent(name)}`;
}

/** The yaml library is slow to load; only who asks for YAML pays for it. */
export async function toDocument(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  return format === 'json' ? toJson(value) : (await import('./print/yaml')).toYaml(value);
}
