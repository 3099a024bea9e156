import { categoryOf, findResource, type ResourceInfo } from '../controller/api/wire/resources';
import { UsageError } from './errors';

/** One object, or with no name all of its type. */
export interface Target {
  readonly info: ResourceInfo;
  readonly name?: string;
}

/** `TYPE[,TYPE] [NAME…]` or `TYPE/NAME…`, in kubectl's grammar. */
export function parseTargets(args: readonly string[]): readonly Target[] {
  const [first, ...names] = args;
  if (first === undefined) {
    throw new UsageError('you must specify the type of resource; "ctl api-resources" lists them');
  }
  if (first === '') throw new UsageError('the type of resource is empty');
  if (names.includes('')) throw new UsageError('resource name may not be empty');
  if (args.some((arg) => arg.includes('/'))) return args.map(parsePair);
  const words = first.split(',');
  if (words.includes('')) throw new UsageError(`a type of resource is empty in "${first}"`);
  const types = words.flatMap(typesOf);
  return names.length === 0
    ? types.map((info) => ({ info }))
    : types.flatMap((info) => names.map((name) => ({ info, name })));
}

/** As `parseTargets`, where only single objects make sense. */
export function parseObjects(args: readonly string[]): readonly (Target & { readonly name: string })[] {
  return parseTargets(args).map(({ info, name }) => {
    if (name === undefined) throw new UsageError('resource(s) were provided, but no name was specified');
    return { info, name };
  });
}

/** Whether the words may stand for more than one type: names are then printed with their type. */
export function namesSeveralTypes(args: readonly string[], targets: readonly Target[]): boolean {
  return categoryOf(args[0] ?? '').length > 0 || new Set(targets.map(({ info }) => info.plural)).size > 1;
}

function parsePair(word: string): Target {
  const [type = '', name = '', ...rest] = word.split('/');
  if (type === '' || name === '' || rest.length > 0) {
    throw new UsageError(
      word.includes('/')
        ? `arguments in resource/name form must have a single resource and name: "${word}"`
        : 'there is no need to specify a resource type as a separate argument when passing arguments in resource/name form',
    );
  }
  return { info: typeOf(type), name };
}

function typesOf(word: string): readonly ResourceInfo[] {
  const category = categoryOf(word);
  return category.length > 0 ? category : [typeOf(word)];
}

function typeOf(word: string): ResourceInfo {
  const info = findResource(word);
  if (info === undefined) throw new UsageError(`the server doesn't have a resource type "${word}"`);
  return info;
}
