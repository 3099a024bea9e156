import type { ResourceInfo } from '../../controller/api/wire/resources';
import { qualifiedName } from '../../controller/api/wire/resources';
import type { Table, TableColumn, TableRow } from '../../controller/api/wire/types';
import { layOut, widthsOf } from './columns';

export interface TableStyle {
  readonly wide: boolean;
  readonly headers: boolean;
  readonly labels: boolean;
  /** Set where tables of several types follow one another: names are then written with the type. */
  readonly qualify: boolean;
}

/** One table, header included if wanted; nothing for no rows. */
export function printTable(info: ResourceInfo, table: Table, style: TableStyle): string {
  const rows = cellsOf(info, table, table.columnDefinitions, style);
  if (rows.length === 0) return '';
  return layOut(style.headers ? [header(table.columnDefinitions, style), ...rows] : rows);
}

/** Prints rows as they come, in columns that only ever get wider. */
export class TablePrinter {
  #widths: readonly number[] = [];
  #columns: readonly TableColumn[] = [];
  #headed = false;
  readonly #info: ResourceInfo;
  readonly #style: TableStyle;

  constructor(info: ResourceInfo, style: TableStyle) {
    this.#info = info;
    this.#style = style;
  }

  /** The next rows; a table of a watch defines its columns only once. */
  print(table: Table): string {
    if (table.columnDefinitions.length > 0) this.#columns = table.columnDefinitions;
    const rows: (readonly string[])[] = [...cellsOf(this.#info, table, this.#columns, this.#style)];
    if (rows.length === 0) return '';
    if (this.#style.headers && !this.#headed) rows.unshift(header(this.#columns, this.#style));
    this.#headed = true;
    this.#widths = widthsOf(rows, this.#widths);
    return layOut(rows, this.#widths);
  }
}

function header(columns: readonly TableColumn[], { wide, labels }: TableStyle): readonly string[] {
  const names = columns.filter(({ priority }) => wide || priority === 0).map(({ name }) => name.toUpperCase());
  return labels ? [...names, 'LABELS'] : names;
}

function cellsOf(
  info: ResourceInfo,
  { rows }: Table,
  columns: readonly TableColumn[],
  style: TableStyle,
): (readonly string[])[] {
  return rows.map((row) => {
    const shown = row.cells
      .map((cell, index) => (style.qualify && columns[index]?.format === 'name' ? qualifiedName(info, cell) : cell))
      .filter((_, index) => style.wide || columns[index]?.priority === 0);
    return style.labels ? [...shown, labelsOf(row)] : shown;
  });
}

function labelsOf({ object }: TableRow): string {
  const labels = object !== undefined && 'labels' in object.metadata ? object.metadata.labels : {};
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}
