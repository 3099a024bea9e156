/** Kubernetes' suffixes: binary ones count in 1024s, decimal ones in 1000s. */
const BYTE_UNITS = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
} as const;

const TIME_UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** For schemas that other programs read; the parsers here are the rule. */
export const MEMORY_PATTERN = String.raw`(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|k|M|G|T)`;
export const DURATION_PATTERN = String.raw`(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+`;

const MEMORY = new RegExp(`^${MEMORY_PATTERN}$`);
const DURATION = new RegExp(`^${DURATION_PATTERN}$`);
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** Whole bytes of a quantity such as `4Gi` or `1.5G`; undefined when it is none. A bare number has no unit and is none. */
export function parseMemory(text: string): number | undefined {
  const [, amount, unit] = MEMORY.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return wholeAndSafe(Number(amount) * BYTE_UNITS[unit as keyof typeof BYTE_UNITS]);
}

/** Milliseconds of a duration such as `30m`, `250ms` or `1h30m`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(DURATION_PART)) {
    total += Number(amount) * TIME_UNITS[unit as keyof typeof TIME_UNITS];
  }
  return wholeAndSafe(total);
}

/** The shortest exact binary spelling: `4294967296` is `4Gi`; what no suffix divides keeps its bytes, as `1234B`. */
export function formatMemory(bytes: number): string {
  for (const unit of ['Ti', 'Gi', 'Mi', 'Ki'] as const) {
    const amount = bytes / BYTE_UNITS[unit];
    if (amount >= 1 && Number.isInteger(amount)) return `${amount}${unit}`;
  }
  return `${bytes}B`;
}

/** The largest units that divide it: `5400000` is `1h30m`, `250` is `250ms`. */
export function formatDuration(ms: number): string {
  let rest = ms;
  let text = '';
  for (const unit of ['h', 'm', 's', 'ms'] as const) {
    const amount = Math.floor(rest / TIME_UNITS[unit]);
    rest -= amount * TIME_UNITS[unit];
    if (amount > 0) text += `${amount}${unit}`;
  }
  return text === '' ? '0s' : text;
}

/** Thousandths of a core as people write cores: `2500` is `2.5`. */
export function formatCpus(milliCpus: number): string {
  return String(milliCpus / 1000);
}

function wholeAndSafe(value: number): number | undefined {
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) ? whole : undefined;
}
