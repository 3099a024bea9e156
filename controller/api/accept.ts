import { badRequest, notAcceptable } from './errors';

/** How much of the object a table row carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** What a reader asked to be sent: objects as they are, or a table of them. */
export type View = { readonly as: 'Object' } | { readonly as: 'Table'; readonly include: IncludeObject };

const INCLUDES: readonly IncludeObject[] = ['None', 'Metadata', 'Object'];

/** Content negotiation as kubectl does it: the first of the listed types that is served wins. */
export function negotiate(accept: string | undefined, includeObject: string | undefined): View {
  for (const offered of (accept?.trim() || '*/*').split(',')) {
    const [type = '', ...parameters] = offered.split(';').map((part) => part.trim().toLowerCase());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const as = parameters.find((parameter) => parameter.startsWith('as='));
    if (as === undefined) return { as: 'Object' };
    if (isTable(parameters)) return { as: 'Table', include: parseInclude(includeObject) };
  }
  throw notAcceptable();
}

function isTable(parameters: readonly string[]): boolean {
  return ['as=table', 'v=v1', 'g=meta.k8s.io'].every((needed) => parameters.includes(needed));
}

function parseInclude(text: string | undefined): IncludeObject {
  if (text === undefined || text === '') return 'Metadata';
  const include = INCLUDES.find((known) => known === text);
  if (include === undefined) throw badRequest(`includeObject must be one of ${INCLUDES.join(', ')}`);
  return include;
}
