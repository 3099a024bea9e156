import fc from 'fast-check';
import { formatCpus, formatDuration, formatMemory, parseDuration, parseMemory } from '../../crds/units';

describe('quantities of memory', () => {
  it.each([
    ['512Mi', 536_870_912],
    ['4Gi', 4_294_967_296],
    ['1.5Gi', 1_610_612_736],
    ['1k', 1000],
    ['2G', 2_000_000_000],
    ['0.5Ti', 549_755_813_888],
  ])('read %s as %d bytes', (text, bytes) => {
    expect(parseMemory(text)).toBe(bytes);
  });

  it.each(['', '4', '4096', '4gi', '4 Gi', '-1Gi', 'Gi', '4GiB', '1e3Mi', ' 4Gi', '4Gi\n', '99999999Ti'])(
    'refuse %j',
    (text) => {
      expect(parseMemory(text)).toBeUndefined();
    },
  );

  it.each([
    [536_870_912, '512Mi'],
    [4_294_967_296, '4Gi'],
    [1_610_612_736, '1536Mi'],
    [1234, '1234B'],
  ])('print %d bytes as %s', (bytes, text) => {
    expect(formatMemory(bytes)).toBe(text);
  });

  it('are the same number again after they were printed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (kibibytes) => {
        expect(parseMemory(formatMemory(kibibytes * 1024))).toBe(kibibytes * 1024);
      }),
    );
  });
});

describe('durations', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['1d', 86_400_000],
  ])('read %s as %d milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '30', 'm', '30 m', '-5s', '5S', '1h 30m', '1e3s'])('refuse %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('are the same number again after they were printed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 11 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('cores', () => {
  it('are printed as people write them', () => {
    expect([2000, 2500, 250].map(formatCpus)).toEqual(['2', '2.5', '0.25']);
  });
});
