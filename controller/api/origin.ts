import type { Kind } from '../../crds/meta';
import type { ManifestState } from '../store';

/** Where a person edits the spec of an object, as the object of "edited in …". */
export function editedIn(manifest: ManifestState | undefined, manifestsDir: string): string {
  if (manifest === undefined) return `a manifest in ${manifestsDir}`;
  const { origin } = manifest;
  switch (origin.type) {
    case 'File':
      return `its manifest ${origin.path}:${origin.line}`;
    case 'BuiltIn':
      return `a manifest of the same name in ${manifestsDir} (this one is built in)`;
    case 'Owned':
      return `the manifest of ${origin.owner.kind} "${origin.owner.name}", which it belongs to`;
  }
}

/** What to tell a person who deletes an object whose declaration stands; undefined when nothing brings it back. */
export function comesBack(kind: Kind, name: string, manifest: ManifestState | undefined): string | undefined {
  if (manifest === undefined || manifest.missing !== undefined) return undefined;
  const { origin } = manifest;
  const what = `${kind} "${name}"`;
  switch (origin.type) {
    case 'File':
      return `${origin.path}:${origin.line} still declares ${what}: remove it there as well, or it is made again`;
    case 'BuiltIn':
      return `${what} is built in: it is made again`;
    case 'Owned':
      return `${what} belongs to ${origin.owner.kind} "${origin.owner.name}", which makes it again when it needs it`;
  }
}
