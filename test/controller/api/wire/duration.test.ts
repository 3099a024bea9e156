import { age, humanDuration } from '../../../../controller/api/wire/duration';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('a duration', () => {
  it.each([
    [-2 * second, '<invalid>'],
    [-2 * second + 1, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [second, '1s'],
    [2 * minute - 1, '119s'],
    [2 * minute, '2m'],
    [5 * minute + 3 * second, '5m3s'],
    [10 * minute - 1, '9m59s'],
    [10 * minute, '10m'],
    [10 * minute + 59 * second, '10m'],
    [3 * hour - 1, '179m'],
    [3 * hour, '3h'],
    [5 * hour + 30 * minute, '5h30m'],
    [8 * hour - 1, '7h59m'],
    [8 * hour, '8h'],
    [2 * day - 1, '47h'],
    [2 * day, '2d'],
    [3 * day + 5 * hour, '3d5h'],
    [8 * day - 1, '7d23h'],
    [8 * day, '8d'],
    [2 * year - 1, '729d'],
    [2 * year, '2y'],
    [2 * year + 41 * day, '2y41d'],
    [8 * year - 1, '7y364d'],
    [8 * year, '8y'],
    [10 * year + 364 * day, '10y'],
    [Number.NaN, '<invalid>'],
  ])('of %d ms reads %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});

describe('an age', () => {
  it('is counted from the time given', () => {
    expect(age('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:00:42.000Z'))).toBe('42s');
  });

  it.each([undefined, '', 'yesterday'])('of %p is unknown', (since) => {
    expect(age(since, 0)).toBe('<unknown>');
  });
});
