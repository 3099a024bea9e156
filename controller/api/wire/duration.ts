const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Step {
  /** Applies below this many milliseconds. */
  readonly below: number;
  readonly major: readonly [number, string];
  readonly minor?: readonly [number, string];
}

/** The steps of `HumanDuration` in k8s.io/apimachinery/pkg/util/duration. */
const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, major: [SECOND, 's'] },
  { below: 10 * MINUTE, major: [MINUTE, 'm'], minor: [SECOND, 's'] },
  { below: 3 * HOUR, major: [MINUTE, 'm'] },
  { below: 8 * HOUR, major: [HOUR, 'h'], minor: [MINUTE, 'm'] },
  { below: 2 * DAY, major: [HOUR, 'h'] },
  { below: 8 * DAY, major: [DAY, 'd'], minor: [HOUR, 'h'] },
  { below: 2 * YEAR, major: [DAY, 'd'] },
  { below: 8 * YEAR, major: [YEAR, 'y'], minor: [DAY, 'd'] },
  { below: Infinity, major: [YEAR, 'y'] },
];

/** Milliseconds as kubectl prints an age: two units at most, truncated; more than a second in the future is invalid. */
export function humanDuration(ms: number): string {
  if (Number.isNaN(ms) || Math.trunc(ms / SECOND) < -1) return '<invalid>';
  if (ms < 0) return '0s';
  const step = STEPS.find((candidate) => ms < candidate.below);
  return step === undefined ? '<invalid>' : inUnits(ms, step);
}

function inUnits(ms: number, { major, minor }: Step): string {
  const [unit, suffix] = major;
  const whole = `${Math.floor(ms / unit)}${suffix}`;
  if (minor === undefined) return whole;
  const rest = Math.floor((ms % unit) / minor[0]);
  return rest === 0 ? whole : `${whole}${rest}${minor[1]}`;
}

/** How long ago an RFC 3339 time was; a missing or unreadable one is `<unknown>`. */
export function age(since: string | undefined, now: number): string {
  const then = since === undefined ? NaN : Date.parse(since);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}
