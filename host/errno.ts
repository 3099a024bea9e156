/** The code of a system error (`ENOENT`, `SQLITE_BUSY`); undefined for any other. Never by class: realms differ. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
