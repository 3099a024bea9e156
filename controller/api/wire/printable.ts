/**
 * What must never reach a terminal as it is: C0, DEL and C1 controls (escape sequences begin with them), line and
 * paragraph separators, the marks and overrides that reorder text (https://trojansource.codes), the byte order mark,
 * and halves of surrogate pairs.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with everything that could steer or forge terminal output shown as an escape. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT[character] ?? escape(character));
}

/** JSON or YAML text whose strings are double-quoted: the same characters as `\uXXXX`; line structure stays. */
export function printableDocument(text: string): string {
  return text.replace(UNSAFE, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

/** Whether the text holds anything that `printable` would show as an escape. */
export function isPrintable(text: string): boolean {
  return text.search(UNSAFE) === -1;
}

function escape(character: string): string {
  const code = character.charCodeAt(0);
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : unicodeEscape(character);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
