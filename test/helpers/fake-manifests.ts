/** Documents as people write them, for stories. `spec` is the inside of a flow mapping. */
export function manifest(kind: string, name: string, spec = '', metadata = ''): string {
  const more = metadata === '' ? '' : `, ${metadata}`;
  return `---\napiVersion: berth.dev/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name}${more} }\nspec: { ${spec} }\n`;
}

/** What keeps a file from being all there is: losing most of everything at once would be taken for an accident. */
export const BALLAST = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  .map((name) => manifest('SandboxTemplate', name))
  .join('');
