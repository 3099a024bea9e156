import { printableDocument } from '../../controller/api/wire/printable';

/** Indented JSON as kubectl writes it; characters that would steer a terminal are JSON escapes. */
export function toJson(value: unknown): string {
  return `${printableDocument(JSON.stringify(value, undefined, 4))}\n`;
}
