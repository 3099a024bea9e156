import { createHash } from 'node:crypto';
import { canonicalJson } from '../../crds/canonical';

/** Of plain data, stable across the order of keys: 16 hexadecimal digits. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}
