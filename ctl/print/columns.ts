import { printable } from '../../controller/api/wire/printable';

const GAP = '   ';

/** Lays out rows in columns as wide as their widest cell, and at least as wide as the widths given. */
export function layOut(rows: readonly (readonly string[])[], leastWidths: readonly number[] = []): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = widthsOf(shown, leastWidths);
  return shown.map((row) => `${layOutRow(row, widths)}\n`).join('');
}

/** How wide each column must be for these rows, in code points, as kubectl counts. */
export function widthsOf(rows: readonly (readonly string[])[], leastWidths: readonly number[] = []): readonly number[] {
  const count = Math.max(leastWidths.length, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, column) =>
    Math.max(leastWidths[column] ?? 0, ...rows.map((row) => lengthOf(printable(row[column] ?? '')))),
  );
}

function layOutRow(row: readonly string[], widths: readonly number[]): string {
  const padded = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)));
  return padded.join(GAP).trimEnd();
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
