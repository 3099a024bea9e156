import { formatKey, sameKey } from '../../crds/meta';

describe('keys', () => {
  it('have one spelling', () => {
    expect(formatKey({ kind: 'Sandbox', name: 'main' })).toBe('Sandbox/main');
  });

  it('are equal by kind and name', () => {
    expect(sameKey({ kind: 'Sandbox', name: 'main' }, { kind: 'Sandbox', name: 'main' })).toBe(true);
    expect(sameKey({ kind: 'Sandbox', name: 'main' }, { kind: 'Session', name: 'main' })).toBe(false);
  });
});
