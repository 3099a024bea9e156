import { labelSelector, matchesSelector } from '../../crds/selector';

const labels = { team: 'shop', tier: 'web' };

describe('a label selector', () => {
  it.each([
    [{ matchLabels: { team: 'shop' } }, true],
    [{ matchLabels: { team: 'shop', tier: 'api' } }, false],
    [{ matchLabels: { toString: 'x' } }, false],
    [{ matchExpressions: [{ key: 'team', operator: 'In' as const, values: ['a', 'shop'] }] }, true],
    [{ matchExpressions: [{ key: 'team', operator: 'NotIn' as const, values: ['shop'] }] }, false],
    [{ matchExpressions: [{ key: 'other', operator: 'NotIn' as const, values: ['shop'] }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'Exists' as const }] }, true],
    [{ matchExpressions: [{ key: 'constructor', operator: 'Exists' as const }] }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' as const }] }, false],
  ])('%j finds an object with the labels: %s', (selector, found) => {
    expect(matchesSelector(selector, labels)).toBe(found);
  });

  it.each([
    {},
    { matchLabels: {} },
    { matchExpressions: [{ key: 'a', operator: 'In' }] },
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
    { matchLabels: { 'a b': 'c' } },
  ])('that says nothing or what cannot be meant is refused: %j', (selector) => {
    expect(labelSelector('x').safeParse(selector).success).toBe(false);
  });
});
