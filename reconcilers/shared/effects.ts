/** What a machine's effect does until its folder's `effects.ts` provides it: a machine can be drawn and tested without. */
export function notProvided(): Promise<never> {
  return Promise.reject(new Error('the effect was not provided'));
}
