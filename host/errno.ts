import { getSystemErrorMap } from 'node:util';

/** The code of a system error (`ENOENT`, `SQLITE_BUSY`); undefined for any other. Never by class: realms differ. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Why something failed, for a person: the system's own words (`no space left on device`), else the message. */
export function reasonOf(error: unknown): string {
  const number = typeof error === 'object' && error !== null && 'errno' in error ? Number(error.errno) : 0;
  const [, words] = getSystemErrorMap().get(number) ?? [];
  return words ?? (error instanceof Error ? error.message : String(error));
}
