/** One measured number beside what it is meant to be. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most it may be. */
  readonly aim: number;
  readonly met: boolean;
}

export function row(name: string, value: number, { unit, aim }: { unit: string; aim: number }): Row {
  const rounded = Math.round(value * 10) / 10;
  return { name, value: rounded, unit, aim, met: rounded <= aim };
}

/** The middle one; of an even number, the lower of the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ name, value, unit, aim, met }) => [
    name,
    `${value} ${unit}`,
    `≤ ${aim} ${unit}`,
    met ? 'yes' : 'NO',
  ]);
  const all = [['WHAT', 'VALUE', 'AIM', 'MET'], ...lines];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((cells) => (cells[column] ?? '').length)));
  return all
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
