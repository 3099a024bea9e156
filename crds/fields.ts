import { z } from 'zod';
import { DURATION_PATTERN, parseDuration } from './units';
import { isPlainLine, isPlainText } from './text';

/** RFC 1123 label: what Kubernetes takes as an object's name. */
const NAME_PATTERN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const NAME_RULE = 'must be lowercase letters, digits and dashes, start and end with a letter or digit';
const LONGEST_NAME = 63;

const ABSOLUTE = /^\/[^:]*$/;

/** The name of another object. */
export function objectName() {
  return z
    .string()
    .min(1, { error: 'is empty; it must name an object' })
    .max(LONGEST_NAME, { error: `is longer than ${LONGEST_NAME} characters` })
    .regex(NAME_PATTERN, { error: NAME_RULE });
}

/** One line of text without control characters. */
export function line() {
  return z
    .string()
    .min(1, { error: 'must not be empty' })
    .refine(isPlainLine, { error: 'must be one line without control characters' });
}

/** Text of several lines, such as a prompt. */
export function prose() {
  return z
    .string()
    .min(1, { error: 'must not be empty' })
    .refine(isPlainText, { error: 'must not contain control characters' });
}

/** A path on the host: absolute, below `~/`, or relative to the manifest's own directory. */
export function hostPath() {
  return line().refine((path) => path === path.trimStart(), { error: 'must not start with a space' });
}

/** An absolute path in the container. The colon is refused because engines read it as a separator. */
export function containerPath() {
  return line().refine(isContainerPath, {
    error: 'must be an absolute path without a colon and without "." or ".." parts',
  });
}

/** A span of time with its unit: `250ms`, `10s`, `30m`, `2h`. */
export function duration() {
  return z
    .string({ error: 'must be a duration with a unit, such as 250ms, 10s, 30m or 2h' })
    .refine(isPositiveDuration, { error: 'must be a duration with a unit, such as 250ms, 10s, 30m or 2h' })
    .meta({ pattern: `^${DURATION_PATTERN}$` });
}

/** A list in which nothing may be said twice: a repetition is a slip of the pen. */
export function uniqueList<Item extends z.ZodType<string>>(item: Item) {
  return z.array(item).check((context) => {
    const seen = new Set<string>();
    context.value.forEach((value, index) => {
      if (seen.has(value)) {
        context.issues.push({ code: 'custom', path: [index], input: value, message: 'is listed twice' });
      }
      seen.add(value);
    });
  });
}

export function isContainerPath(path: string): boolean {
  const parts = path.split('/').slice(1);
  return ABSOLUTE.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function isPositiveDuration(text: string): boolean {
  return (parseDuration(text) ?? 0) > 0;
}
