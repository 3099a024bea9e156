import type { CST, LineCounter } from 'yaml';
import { Lexer, Parser } from 'yaml';

/** What a text may hold, each far above what people write. */
export interface YamlBounds {
  readonly levels: number;
  /** Words, signs, spaces and line ends. */
  readonly tokens: number;
}

/** What is open at once beside the levels: the document, one more collection, and what is being read. */
const BESIDES_LEVELS = 3;

/** Thrown where one bound is passed. */
export class BoundsError extends Error {
  override readonly name = 'BoundsError';

  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/**
 * The tokens of a text, for the package's composer. That one recurses, and a few thousand levels end the process: not
 * by an error that could be caught, but in the middle of compiling a regular expression. The parser does not recurse.
 */
export function* tokensOf(text: string, lines: LineCounter, most: YamlBounds): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    yield* parser.next(lexeme);
    count += 1;
    if (parser.stack.length > most.levels + BESIDES_LEVELS) throw new BoundsError(tooDeep(most), offset);
    if (count > most.tokens) throw new BoundsError(`holds more than ${most.tokens} words and signs`, offset);
  }
  yield* parser.end();
}

export function tooDeep({ levels }: Pick<YamlBounds, 'levels'>): string {
  return `is nested more than ${levels} levels deep`;
}
