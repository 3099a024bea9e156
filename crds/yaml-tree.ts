import type { Document, ErrorCode, Node } from 'yaml';
import { Composer, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, visit } from 'yaml';
import { printable } from './text';
import { BoundsError, tokensOf, tooDeep } from './yaml-tokens';

/** Counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A value of a document together with where it, and the key that leads to it, stand. */
export interface Tree {
  readonly value: unknown;
  readonly at: Position;
  readonly key?: Position;
  readonly children: ReadonlyMap<string | number, Tree>;
}

export interface YamlProblem extends Position {
  readonly message: string;
}

export interface YamlFile {
  /** One a document, empty ones left out; one with problems is not here. */
  readonly documents: readonly Tree[];
  readonly problems: readonly YamlProblem[];
}

/** Far above what people write, far below what would stop the controller. */
const LARGEST_FILE = 2 ** 20;
const MOST_VALUES = 20_000;
const BOUNDS = { levels: 64, tokens: 200_000 };
/** One broken line can bring up thousands; nobody reads them. */
const MOST_PROBLEMS = 50;

const MERGE_KEY = '<<';

/** Reads any text. Never throws; what cannot be read is in `problems`. */
export function readYaml(text: string): YamlFile {
  if (text.length > LARGEST_FILE) return failed(`is larger than ${LARGEST_FILE} characters`);
  const lines = new LineCounter();
  try {
    return readDocuments(text, lines);
  } catch (error) {
    if (error instanceof BoundsError) return failed(error.message, positionOf(error.offset, lines));
    return failed('cannot be read as YAML');
  }
}

function failed(message: string, at: Position = { line: 1, column: 1 }): YamlFile {
  return { documents: [], problems: [{ ...at, message }] };
}

function positionOf(offset: number, lines: LineCounter): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function readDocuments(text: string, lines: LineCounter): YamlFile {
  // Keys are compared by our own walk: the parser's check takes quadratic time and knows no merged aliases.
  const composer = new Composer({ lineCounter: lines, uniqueKeys: false, stringKeys: true, logLevel: 'silent' });
  const documents: Tree[] = [];
  const problems: YamlProblem[] = [];
  for (const document of composer.compose(tokensOf(text, lines, BOUNDS))) {
    const walk = new Walk(document, lines, text);
    const tree = walk.read();
    if (walk.problems.length > 0) problems.push(...walk.problems);
    else if (tree !== undefined) documents.push(tree);
  }
  return { documents, problems };
}

/** One pass over the nodes of one document: aliases followed within bounds, keys checked, positions kept. */
class Walk {
  readonly problems: YamlProblem[] = [];
  private values = 0;
  private targets: ReadonlyMap<Node, Node> = new Map();

  constructor(
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
    private readonly text: string,
  ) {}

  read(): Tree | undefined {
    for (const { code, pos, message } of [...this.document.errors, ...this.document.warnings]) {
      this.report(pos[0], explain(code, message));
    }
    const root = this.document.contents;
    if (this.problems.length > 0 || root === null || isEmptyScalar(root)) return undefined;
    this.targets = aliasTargets(this.document);
    return this.node(root, 0);
  }

  private node(node: Node, depth: number): Tree {
    this.values += 1;
    const offset = node.range?.[0] ?? 0;
    if (depth > BOUNDS.levels) return this.refuse(offset, tooDeep(BOUNDS));
    if (this.values > MOST_VALUES)
      return this.refuse(offset, `holds more than ${MOST_VALUES} values, with what aliases repeat`);
    if (isAlias(node)) return this.alias(node, offset, depth);
    if (isMap(node)) return this.map(node.items, offset, depth);
    if (isSeq(node)) return this.list(node.items, offset, depth);
    return this.scalar(isScalar(node) ? node.value : undefined, offset);
  }

  private alias(node: Node, offset: number, depth: number): Tree {
    const target = this.targets.get(node);
    if (target === undefined) return this.refuse(offset, 'refers to an anchor that does not come before it');
    return { ...this.node(target, depth + 1), at: this.position(offset) };
  }

  private map(items: readonly { key: unknown; value?: unknown }[], offset: number, depth: number): Tree {
    const written = new Map<string, Tree>();
    for (const { key: node, value } of items) {
      if (this.exhausted()) break;
      const at = isNode(node) ? (node.range?.[0] ?? offset) : offset;
      const key = this.key(node, at, written);
      if (key !== undefined) written.set(key, { ...this.pairValue(value, at, depth), key: this.position(at) });
    }
    const children = merged(written);
    const value = Object.fromEntries([...children].map(([key, child]) => [key, child.value]));
    return { value, at: this.position(offset), children };
  }

  private key(node: unknown, offset: number, taken: ReadonlyMap<string, Tree>): string | undefined {
    const key = isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
    const problem = key === undefined ? 'keys must be plain text' : keyProblem(key, taken);
    if (problem === undefined) return key;
    this.report(offset, problem);
    return undefined;
  }

  private pairValue(value: unknown, keyOffset: number, depth: number): Tree {
    if (!isNode(value)) return this.scalar(null, keyOffset);
    if (isEmptyScalar(value) && this.isCutOff(value.range?.[0] ?? 0)) {
      return this.refuse(keyOffset, 'the file ends before the value of this key; is it half written?');
    }
    return this.node(value, depth + 1);
  }

  private list(items: readonly unknown[], offset: number, depth: number): Tree {
    const children = new Map<number, Tree>();
    for (const [index, item] of items.entries()) {
      if (this.exhausted()) break;
      children.set(index, isNode(item) ? this.node(item, depth + 1) : this.scalar(null, offset));
    }
    return { value: [...children.values()].map((child) => child.value), at: this.position(offset), children };
  }

  private scalar(value: unknown, offset: number): Tree {
    const plain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    if (!plain) return this.refuse(offset, 'is a kind of value that manifests do not have');
    return { value, at: this.position(offset), children: new Map() };
  }

  /** A key without a value as the very last thing, with no line end after it, is what an interrupted write leaves. */
  private isCutOff(offset: number): boolean {
    return !this.text.endsWith('\n') && this.text.slice(offset).trim() === '';
  }

  private exhausted(): boolean {
    return this.values > MOST_VALUES;
  }

  private refuse(offset: number, message: string): Tree {
    this.report(offset, message);
    return { value: null, at: this.position(offset), children: new Map() };
  }

  private report(offset: number, message: string): void {
    const problem = { ...this.position(offset), message };
    if (this.problems.length >= MOST_PROBLEMS || this.problems.some((each) => sameProblem(each, problem))) return;
    this.problems.push(problem);
  }

  private position(offset: number): Position {
    return positionOf(offset, this.lines);
  }
}

/** An alias means the last node before it that carries its anchor. The package's own look-up reads the whole document each time. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Node, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  visit(document, (_, node) => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (isNode(node) && 'anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
  });
  return targets;
}

/** `<<: *defaults` puts in what is not written beside it: https://yaml.org/type/merge.html */
function merged(written: ReadonlyMap<string, Tree>): ReadonlyMap<string | number, Tree> {
  const source = written.get(MERGE_KEY);
  const sources = Array.isArray(source?.value) ? [...source.children.values()] : source === undefined ? [] : [source];
  if (sources.length === 0 || !sources.every((each) => isObject(each.value))) return written;
  const children = new Map<string | number, Tree>(written);
  children.delete(MERGE_KEY);
  for (const [key, child] of sources.flatMap((each) => [...each.children])) {
    if (!children.has(key)) children.set(key, child);
  }
  return children;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.value === null && (node.source === undefined || node.source === '');
}

function keyProblem(key: string, taken: ReadonlyMap<string, Tree>): string | undefined {
  if (taken.has(key)) return `"${printable(key)}" is written twice`;
  return key === '__proto__' ? `"${key}" cannot be a key` : undefined;
}

function sameProblem(a: YamlProblem, b: YamlProblem): boolean {
  return a.line === b.line && a.column === b.column && a.message === b.message;
}

function explain(code: ErrorCode, message: string): string {
  if (code === 'TAB_AS_INDENT') return 'a tab is used to indent; YAML wants spaces';
  return printable(message.replace(/\s*\n[\s\S]*$/, ''));
}

/** Where the value at `path` stands; for what is not there, where its nearest parent does. */
export function valuePosition(tree: Tree, path: readonly PropertyKey[]): Position {
  return nearestNode(tree, path).at;
}

/** Where the key that leads to `path` stands; the value itself in a list. */
export function keyPosition(tree: Tree, path: readonly PropertyKey[]): Position {
  const node = nearestNode(tree, path);
  return node.key ?? node.at;
}

function nearestNode(tree: Tree, path: readonly PropertyKey[]): Tree {
  let node = tree;
  for (const part of path) {
    const child = typeof part === 'symbol' ? undefined : node.children.get(part);
    if (child === undefined) break;
    node = child;
  }
  return node;
}
