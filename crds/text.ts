/** Control, format (bidirectional overrides, zero width), surrogate and line-separator characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const ANY_UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

const LONGEST = 200;

/** A piece of someone's file, safe to print on a terminal: one line, escapes spelled out, cut at 200 characters. */
export function printable(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** One line without anything that a terminal would act on. */
export function isPlainLine(text: string): boolean {
  return !ANY_UNPRINTABLE.test(text);
}

/** The same, but newlines and tabs are text. */
export function isPlainText(text: string): boolean {
  return isPlainLine(text.replace(/\r?\n|\t/g, ''));
}
