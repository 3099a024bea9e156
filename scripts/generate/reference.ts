import type { JsonSchema } from '../../crds/json-schema';
import { specJsonSchema } from '../../crds/json-schema';
import { API_VERSION } from '../../crds/meta';
import type { KindDefinition } from '../../crds/registry';
import { kindDefinitions } from '../../crds/registry';
import type { ConditionDoc } from './condition-docs';
import { fileName, GENERATED_BY } from './names';

/** A page about one kind: its fields, and what its conditions say. */
export function referencePage(definition: KindDefinition, conditions: readonly ConditionDoc[]): string {
  const { kind, plural, shortNames, laterFields } = definition;
  const schema = specJsonSchema(kind);
  const names = [plural, ...shortNames].map(code).join(', ');
  return page(kind, [
    schema.description ?? '',
    `\`apiVersion: ${API_VERSION}\`, \`kind: ${kind}\`; for \`ctl\` also ${names}.`,
    ...section('Fields', [fieldTable(schema)]),
    ...section('Without effect yet', later(laterFields)),
    ...section('Conditions', conditions.flatMap(condition)),
  ]);
}

/** The list of the pages. */
export function referenceIndex(): string {
  const rows = kindDefinitions().map(({ kind, shortNames }) => [
    `[${kind}](${fileName(kind)}.md)`,
    shortNames.map(code).join(', '),
    specJsonSchema(kind).description ?? '',
  ]);
  return page('Reference', [`Every kind that a manifest may declare.`, table(['Kind', 'Short', 'What it is'], rows)]);
}

function page(title: string, parts: readonly string[]): string {
  return `${[`<!-- ${GENERATED_BY} -->`, `# ${title}`, ...parts].join('\n\n')}\n`;
}

function section(title: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`## ${title}`, ...parts];
}

function later(fields: readonly string[]): readonly string[] {
  if (fields.length === 0) return [];
  return [`Accepted with a warning, so that a manifest can already say it: ${fields.map(code).join(', ')}.`];
}

function condition({ type, meaning, reasons }: ConditionDoc): readonly string[] {
  return [
    `### ${type}`,
    meaning,
    table(
      ['Reason', 'When'],
      reasons.map((each) => [code(each.reason), each.meaning]),
    ),
  ];
}

function fieldTable(spec: JsonSchema): string {
  return table(['Field', 'Type', 'Default', 'What it says'], fieldRows(spec, 'spec'));
}

function fieldRows(schema: JsonSchema, path: string): readonly (readonly string[])[] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = `${path}.${name}`;
    const usual = required.includes(name) ? '(required)' : defaultOf(field);
    const row = [code(own), typeOf(field), usual, field.description ?? ''];
    return [row, ...fieldRows(field, own), ...fieldRows(field.items ?? {}, `${own}[]`)];
  });
}

function defaultOf({ default: written, builtInDefault, type }: JsonSchema): string {
  const value = written ?? builtInDefault;
  if (value === undefined || type === 'object') return '';
  return code(typeof value === 'string' ? value : JSON.stringify(value));
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return unique(schema.anyOf.map(typeOf)).join(' or ');
  if (schema.enum)
    return schema.enum
      .filter((value) => value !== '')
      .map((value) => code(String(value)))
      .join(', ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (typeof schema.additionalProperties === 'object') return 'map of text';
  return TYPE_WORDS[schema.type ?? ''] ?? 'any';
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
};

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escape).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function escape(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
