import { BUILTIN_MANIFESTS } from './generated/builtin';
import type { Declaration } from './meta';
import { parseManifest } from './parse';

/** The objects that exist without any file; a file that declares one takes its place. What of them has no effect yet is nobody's mistake, so nothing is warned about. */
export function builtinDeclarations(): readonly Declaration[] {
  return BUILTIN_MANIFESTS.flatMap(({ path, text }) => {
    const { documents, problems } = parseManifest(text, path);
    if (problems[0] !== undefined) throw new Error(`${path}:${problems[0].line}: ${problems[0].message}`);
    return documents.map(({ declaration }) => declaration);
  });
}
