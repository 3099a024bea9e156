import fc from 'fast-check';
import { parseEnvironmentEntry, readEnvironment } from '../../crds/environment';

describe('an entry of the environment', () => {
  it.each([
    ['KEY', { name: 'KEY', from: 'Host', variable: 'KEY' }],
    ['KEY=value', { name: 'KEY', from: 'Literal', value: 'value' }],
    ['KEY=', { name: 'KEY', from: 'Literal', value: '' }],
    ['KEY=a=b', { name: 'KEY', from: 'Literal', value: 'a=b' }],
    ['KEY=a$b', { name: 'KEY', from: 'Literal', value: 'a$b' }],
    ['KEY=$OTHER', { name: 'KEY', from: 'Host', variable: 'OTHER' }],
    ['KEY=$$x', { name: 'KEY', from: 'Literal', value: '$x' }],
    ['KEY=$$$x', { name: 'KEY', from: 'Literal', value: '$$x' }],
  ])('%s is read as %j', (text, expected) => {
    expect(parseEnvironmentEntry(text)).toEqual(expected);
  });

  it.each(['', '=x', '1BAD=x', 'A B=x', 'KEY=$', 'KEY=${OTHER}', 'KEY=$OTHER/bin', 'KÉY=x', 'A\n=x'])(
    '%j is none',
    (text) => {
      expect(parseEnvironmentEntry(text)).toBeUndefined();
    },
  );

  it('carries any literal value through unchanged once its first dollar is doubled', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const written = value.startsWith('$') ? `KEY=$${value}` : `KEY=${value}`;
        expect(parseEnvironmentEntry(written)).toEqual({ name: 'KEY', from: 'Literal', value });
      }),
    );
  });
});

describe('a list of entries', () => {
  it('keeps the first of each name and the rest of what can be read', () => {
    expect(readEnvironment(['1BAD=x', 'A=1', 'A=2', 'B'])).toEqual([
      { name: 'A', from: 'Literal', value: '1' },
      { name: 'B', from: 'Host', variable: 'B' },
    ]);
  });
});
