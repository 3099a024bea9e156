import ts from 'typescript';
import type { Kind } from '../../crds/meta';
import type { ReadSource } from './names';
import { fileName } from './names';

export interface ReasonDoc {
  readonly reason: string;
  readonly meaning: string;
}

export interface ConditionDoc {
  readonly type: string;
  readonly meaning: string;
  readonly reasons: readonly ReasonDoc[];
}

const SHARED = ['crds/reasons.ts', 'crds/failures.ts'];

/** The comments in a kind's table of conditions, which are the one place where types and reasons are explained. */
export function conditionDocs(kind: Kind, read: ReadSource): readonly ConditionDoc[] {
  const own = source(`crds/${fileName(kind)}.ts`, read);
  const lists = new Map(SHARED.flatMap((path) => [...reasonLists(source(path, read))]));
  const table = [...constants(own)].find(([name]) => name.endsWith('_CONDITIONS'))?.[1];
  if (table === undefined || !ts.isObjectLiteralExpression(table))
    throw new Error(`${kind} has no table of conditions`);
  return table.properties.filter(ts.isPropertyAssignment).map((property) => ({
    type: property.name.getText(own),
    meaning: comment(property, own),
    reasons: reasonsOf(property.initializer, own, lists),
  }));
}

type Lists = ReadonlyMap<string, readonly ReasonDoc[]>;

function reasonsOf(node: ts.Expression, file: ts.SourceFile, lists: Lists): readonly ReasonDoc[] {
  if (ts.isIdentifier(node)) return lists.get(node.text) ?? missing(node.text);
  if (ts.isSpreadElement(node)) return reasonsOf(node.expression, file, lists);
  if (ts.isStringLiteral(node)) return [{ reason: node.text, meaning: comment(node, file) }];
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((each) => reasonsOf(each, file, lists));
  return missing(node.getText(file));
}

function missing(what: string): never {
  throw new Error(`${what} is not a list of reasons that can be read`);
}

function reasonLists(file: ts.SourceFile): Lists {
  const lists = [...constants(file)].filter(([, value]) => ts.isArrayLiteralExpression(value));
  return new Map(lists.map(([name, value]) => [name, reasonsOfPlain(value, file)]));
}

function reasonsOfPlain(value: ts.Expression, file: ts.SourceFile): readonly ReasonDoc[] {
  if (!ts.isArrayLiteralExpression(value)) return [];
  return value.elements
    .filter(ts.isStringLiteral)
    .map((each) => ({ reason: each.text, meaning: optionalComment(each, file) ?? '' }));
}

/** Top-level `const NAME = …`, without `as const` and `satisfies`. */
function constants(file: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((each) => each.declarationList.declarations);
  return new Map(
    declarations.flatMap(({ name, initializer }) =>
      initializer === undefined ? [] : [[name.getText(file), unwrap(initializer)] as const],
    ),
  );
}

function unwrap(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? unwrap(node.expression) : node;
}

function comment(node: ts.Node, file: ts.SourceFile): string {
  return optionalComment(node, file) ?? missing(`${file.fileName}: ${node.getText(file)}, without a comment,`);
}

function optionalComment(node: ts.Node, file: ts.SourceFile): string | undefined {
  const range = ts.getLeadingCommentRanges(file.text, node.getFullStart())?.at(-1);
  if (range === undefined) return undefined;
  const text = file.text.slice(range.pos, range.end);
  return text
    .replace(/^\/\*\*?|\*\/$/g, '')
    .replace(/\s*\n\s*\*?\s*/g, ' ')
    .trim();
}

function source(path: string, read: ReadSource): ts.SourceFile {
  return ts.createSourceFile(path, read(path), ts.ScriptTarget.ES2022, true);
}
