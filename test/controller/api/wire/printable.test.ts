import fc from 'fast-check';
import { isPrintable, printable, printableDocument } from '../../../../controller/api/wire/printable';

/** Written anew, from the standards and not from the code: code points that a terminal may act on. */
function steersTerminal(code: number): boolean {
  const ranges: readonly (readonly [number, number])[] = [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0x61c, 0x61c],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2066, 0x2069],
    [0xd800, 0xdfff],
    [0xfeff, 0xfeff],
  ];
  return ranges.some(([from, to]) => code >= from && code <= to);
}

function codes(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

const hostile = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('\u001b[2J', '\u009b31m', '\u202e', '\u2028', '\u007f', '\r', '\u001b]0;x\u0007', 'é', '漢', '🚢'),
  ),
});

describe('printable text', () => {
  it.each([
    ['\u001b[31mred', '\\x1b[31mred'],
    ['one\ntwo\r\tthree', 'one\\ntwo\\r\\tthree'],
    ['\u009b2J', '\\x9b2J'],
    ['user\u202eexe.txt', 'user\\u202eexe.txt'],
    ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['\u007f', '\\x7f'],
    ['\ud800', '\\ud800'],
    ['naïve 漢字 🚢 👩‍💻', 'naïve 漢字 🚢 👩‍💻'],
  ])('shows %j as %s', (raw, shown) => {
    expect(printable(raw)).toBe(shown);
  });

  it('never holds a character that steers a terminal, whatever goes in', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        expect(codes(printable(raw)).filter(steersTerminal)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same again when it is made printable twice, and is known to be printable', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        expect(printable(printable(raw))).toBe(printable(raw));
        expect(isPrintable(printable(raw))).toBe(true);
        expect(isPrintable(raw)).toBe(!codes(raw).some(steersTerminal));
      }),
    );
  });
});

describe('a printable document', () => {
  it('still means the same JSON, with nothing in it that steers a terminal but line ends', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const text = printableDocument(JSON.stringify({ raw }, undefined, 2));
        expect(codes(text).filter((code) => steersTerminal(code) && code !== 0x0a)).toEqual([]);
        expect(JSON.parse(text)).toEqual({ raw });
      }),
      { numRuns: 2000 },
    );
  });
});
