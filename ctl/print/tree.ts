import { printable } from '../../controller/api/wire/printable';

const INDENT = '  ';
const NONE = '<none>';

/** Words that are not written with one capital. */
const ACRONYMS: Readonly<Record<string, string>> = {
  Id: 'ID',
  Uid: 'UID',
  Url: 'URL',
  Api: 'API',
  Cpus: 'CPUs',
  Ssh: 'SSH',
};

/** Fields whose keys are people's and not ours. */
const MAPS = ['labels', 'annotations', 'matchLabels'];

/** `keepRunning` → `Keep Running`; what is no field name of ours stays as it is. */
function words(field: string): string {
  if (!/^[a-z][A-Za-z0-9]*$/.test(field)) return printable(field);
  const parts = field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ');
  return parts
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .map((part) => ACRONYMS[part] ?? part)
    .join(' ');
}

/** An indented `Key:  value` tree; the values of one level stand below one another. */
export function tree(value: Readonly<Record<string, unknown>>, depth = 0): string {
  return lines(value, true)
    .map((line) => `${INDENT.repeat(depth)}${line}\n`)
    .join('');
}

function lines(value: Readonly<Record<string, unknown>>, ours: boolean): string[] {
  const entries = Object.entries(value).map(([key, item]) => ({
    key,
    label: ours ? words(key) : printable(key),
    item,
  }));
  const width = Math.max(0, ...entries.filter(({ item }) => !isBranch(item)).map(({ label }) => label.length));
  return entries.flatMap(({ key, label, item }) => {
    if (!isBranch(item)) return [`${label}:${' '.repeat(width - label.length)}  ${leaf(item)}`];
    const below = isList(item) ? item.flatMap(listItem) : lines(item, !MAPS.includes(key));
    return [`${label}:`, ...below.map((line) => `${INDENT}${line}`)];
  });
}

function listItem(item: unknown): string[] {
  if (!isBranch(item)) return [leaf(item)];
  const below = isList(item) ? item.flatMap(listItem) : lines(item, true);
  return below.map((line, index) => `${index === 0 ? '- ' : INDENT}${line}`);
}

type Fields = Readonly<Record<string, unknown>>;

function isList(value: Fields | readonly unknown[]): value is readonly unknown[] {
  return Array.isArray(value);
}

function isBranch(value: unknown): value is Fields | readonly unknown[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function leaf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : printable(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return NONE;
}
