import type { ReadSource } from './names';
import { GENERATED_BY } from './names';

const SOURCES = ['settings', 'template', 'agents'].map((name) => `crds/builtin/${name}.yaml`);

/** The built-in manifests as a module, so that a bundle needs no file beside it. */
export function builtinModule(read: ReadSource): string {
  const entries = SOURCES.map((path) => `  { path: ${JSON.stringify(path)}, text: ${lines(read(path))} },`);
  return [
    `// ${GENERATED_BY}`,
    'export const BUILTIN_MANIFESTS: readonly { readonly path: string; readonly text: string }[] = [',
    ...entries,
    '];',
    '',
  ].join('\n');
}

/** A line of source for each line of text: a change then shows as one in a review. */
function lines(text: string): string {
  return text
    .split(/(?<=\n)/)
    .map((line) => JSON.stringify(line))
    .join(' +\n    ');
}
