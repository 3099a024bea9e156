import { kindDefinitions } from '../../crds/registry';
import { builtinModule } from './builtin';
import { conditionDocs } from './condition-docs';
import { customResourceDefinition } from './crd';
import { editorSchema, manifestSchema } from './editor-schema';
import type { ReadSource } from './names';
import { fileName } from './names';
import { referenceIndex, referencePage } from './reference';

/** Every generated file by its path from the root. The same sources always give the same bytes. */
export function generateFiles(read: ReadSource): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const definition of kindDefinitions()) {
    const name = fileName(definition.kind);
    files.set(`crds/generated/${name}.schema.json`, json(editorSchema(definition.kind)));
    files.set(`crds/generated/${definition.plural}.berth.dev.yaml`, customResourceDefinition(definition));
    files.set(`docs/reference/${name}.md`, referencePage(definition, conditionDocs(definition.kind, read)));
  }
  files.set('crds/generated/manifest.schema.json', json(manifestSchema()));
  files.set('crds/generated/builtin.ts', builtinModule(read));
  files.set('docs/reference/README.md', referenceIndex());
  return files;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
