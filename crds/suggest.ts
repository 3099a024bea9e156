import { distance } from 'fastest-levenshtein';

/** One edit in three characters is a slip; more is another word. */
const LETTERS_PER_EDIT = 3;

/** The one of `known` that was probably meant: the same in another case, or a few letters away. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  let best: { readonly word: string; readonly edits: number } | undefined;
  for (const each of known) {
    const edits = distance(wanted, each.toLowerCase());
    if (best === undefined || edits < best.edits) best = { word: each, edits };
  }
  const allowed = Math.max(1, Math.floor(word.length / LETTERS_PER_EDIT));
  return best !== undefined && best.edits <= allowed ? best.word : undefined;
}

/** `; did you mean "limits"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
}
