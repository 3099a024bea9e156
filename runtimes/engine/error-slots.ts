/** What may stand behind a path in prose: the path ends there, or goes on below it. */
const PATH_ENDS = /^(?:$|[/:"'\s,;)\]])/;

/**
 * The host path that a refusal is about: the longest candidate that the text names as a whole, component by component,
 * so that a nested mount wins over the one around it and `/w/app` is not found in `/w/app2`. Undefined = not said.
 */
export function pathIn(text: string, candidates: readonly string[]): string | undefined {
  const byLength = candidates.toSorted((a, b) => b.length - a.length);
  return byLength.find((candidate) => names(text, candidate));
}

function names(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text.charAt(at - 1);
    if (!/[\w./-]/.test(before) && PATH_ENDS.test(text.slice(at + path.length))) return true;
  }
  return false;
}

/** The port in a refusal: `127.0.0.1:3000`, `127.0.0.1/3000`, `[::1]:3000`, `0.0.0.0:3000`. Undefined = not said. */
export function portIn(text: string): string | undefined {
  const match = /(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]*\]|localhost)[:/](\d{1,5})\b/i.exec(text);
  return match?.[1] === '0' ? undefined : match?.[1];
}
