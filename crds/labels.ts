import { z } from 'zod';

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const KEY_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const KEY_PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const LONGEST_PART = 63;
const LONGEST_PREFIX = 253;

/** `[prefix/]name`, the key of a label or an annotation. */
export function isQualifiedName(key: string): boolean {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const prefixValid = prefix === undefined || (prefix.length <= LONGEST_PREFIX && KEY_PREFIX.test(prefix));
  return prefixValid && name.length <= LONGEST_PART && KEY_NAME.test(name);
}

function isLabelValue(value: string): boolean {
  return value.length <= LONGEST_PART && VALUE.test(value);
}

export const KEY_RULE =
  'must be [prefix/]name of letters, digits, ".", "_" and "-", with at most 63 characters in name';
const VALUE_RULE = 'must be at most 63 letters, digits, ".", "_" and "-", starting and ending with one of the first';

export function labelKey() {
  return z.string().refine(isQualifiedName, { error: KEY_RULE });
}

export function labelValue() {
  return z.string().refine(isLabelValue, { error: VALUE_RULE });
}
