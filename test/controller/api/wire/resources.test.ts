import { kindDefinition } from '../../../../crds/registry';
import {
  findResource,
  groupOf,
  qualifiedName,
  qualifiedPlural,
  RESOURCES,
  resourceOf,
} from '../../../../controller/api/wire/resources';

describe('resource types', () => {
  it.each(['sandbox', 'sandboxes', 'sb', 'Sandbox', 'sandboxes.berth.dev', 'sandboxes.v1alpha1.berth.dev'])(
    'are found by %s',
    (word) => {
      expect(findResource(word)?.kind).toBe('Sandbox');
    },
  );

  it.each(['pods', 'sandboxes.apps', '', 'all', 'berth'])('are not found by %j', (word) => {
    expect(findResource(word)).toBeUndefined();
  });

  it('have one plural each, also where the singular is one already', () => {
    expect(resourceOf('Settings').plural).toBe('settings');
    expect(resourceOf('Sandbox').plural).toBe('sandboxes');
    expect(resourceOf('CredentialShare').plural).toBe('credentialshares');
  });

  it('are written with their group, which core types have none of', () => {
    const events = findResource('ev')!;
    expect(qualifiedName(resourceOf('Sandbox'), 'main')).toBe('sandbox.berth.dev/main');
    expect(qualifiedPlural(resourceOf('Sandbox'))).toBe('sandboxes.berth.dev');
    expect(qualifiedPlural(events)).toBe('events');
    expect(groupOf(events)).toBe('');
  });
});

describe('the names that ctl knows without loading the schemas', () => {
  it.each(RESOURCES)('are those of the schemas: $kind', ({ kind, plural, singular, shortNames, categories }) => {
    const defined = kindDefinition(kind);
    expect({ plural, singular, shortNames }).toEqual({
      plural: defined.plural,
      singular: defined.singular,
      shortNames: defined.shortNames,
    });
    expect(categories).toEqual([...defined.categories, 'berth']);
  });
});
