import type { Kind, Resource } from '../../../crds/meta';
import type { IncludeObject } from '../accept';
import { printable } from '../wire/printable';
import type { CoreEvent, Table, TableColumn, TableRow } from '../wire/types';
import type { Column } from './columns';
import { agentColumns, credentialShareColumns, manifestSourceColumns, sandboxTemplateColumns } from './others';
import { projectColumns } from './project';
import { sandboxColumns } from './sandbox';
import { sessionColumns } from './session';
import { settingsColumns } from './settings';

export { eventColumns } from './event';

export const KIND_COLUMNS: Readonly<Record<Kind, readonly Column[]>> = {
  Settings: settingsColumns,
  Project: projectColumns,
  SandboxTemplate: sandboxTemplateColumns,
  Sandbox: sandboxColumns,
  Session: sessionColumns,
  CredentialShare: credentialShareColumns,
  Agent: agentColumns,
  ManifestSource: manifestSourceColumns,
};

export interface TableRequest<Item> {
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly resourceVersion: string;
  readonly include: IncludeObject;
  /** Milliseconds since the epoch; ages are counted to it. */
  readonly now: number;
}

/** A meta.k8s.io/v1 Table. No cell holds a character that could steer the terminal it is printed on. */
export function toTable<Item extends Resource | CoreEvent>(request: TableRequest<Item>): Table {
  const { columns, items, resourceVersion, include, now } = request;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion },
    columnDefinitions: columns.map(definition),
    rows: items.map((item) => ({
      cells: columns.map((column) => printable(column.cell(item, now))),
      ...rowObject(item, include),
    })),
  };
}

function definition<Item>({ name, description, wide }: Column<Item>): TableColumn {
  const format = name === 'Name' ? 'name' : '';
  return { name, type: 'string', format, description, priority: wide === true ? 1 : 0 };
}

function rowObject(item: Resource | CoreEvent, include: IncludeObject): Pick<TableRow, 'object'> {
  switch (include) {
    case 'None':
      return {};
    case 'Metadata':
      return {
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: item.metadata },
      };
    case 'Object':
      return { object: item };
  }
}
