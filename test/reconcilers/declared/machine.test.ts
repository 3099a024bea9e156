import { initialTransition } from 'xstate';
import { declaredPass, type DeclaredDesired } from '../../../reconcilers/declared/machine';
import { errorExits } from '../machines';

type Missing = NonNullable<DeclaredDesired['manifest']>['missing'];

function begin(missing?: Missing): unknown {
  const manifest: DeclaredDesired['manifest'] = {
    origin: { type: 'File', path: '/m/main.yaml', line: 1 },
    problems: [],
    warnings: [],
    ...(missing ? { missing } : {}),
  };
  const desired = { key: { kind: 'Agent', name: 'own' }, deleting: false, manifest, unsupported: [] } as const;
  return initialTransition(declaredPass, { desired })[0].value;
}

describe('a pass over what others only read', () => {
  it('has nothing to do while it is declared', () => {
    expect(begin()).toBe('settled');
  });

  it('lets it go when its manifest has gone', () => {
    expect(begin({ since: '', massLoss: false })).toBe('lettingGo');
  });

  it('holds it when it was lost with many', () => {
    expect(begin({ since: '', massLoss: true })).toBe('settled');
  });

  it('fails where that fails', () => {
    expect(errorExits(declaredPass)).toEqual({ lettingGo: 'failed' });
  });
});
