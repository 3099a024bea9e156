import { z } from 'zod';
import { SANDBOX_DEFAULTS } from './defaults';
import { formatMemory, MEMORY_PATTERN, parseMemory } from './units';

/** Written where the engine's own default is wanted, which usually is no limit at all. Empty means the same. */
export const ENGINE_DEFAULT = 'EngineDefault';

const MIB = 2 ** 20;

/** Below these a sandbox does not work at all: its service, a session and a build in it need that much. */
export const MINIMUMS = {
  cpus: 0.25,
  memoryBytes: 512 * MIB,
  processes: 64,
  storageBytes: 1024 * MIB,
} as const;

const isUnset = (value: unknown): value is '' | typeof ENGINE_DEFAULT => value === '' || value === ENGINE_DEFAULT;

/** An empty value in YAML is null, and says the same as the word. */
const emptyIsUnset = (value: unknown): unknown => (value === null ? ENGINE_DEFAULT : value);

function sized(field: string, minimumBytes: number) {
  const rule = `must be a quantity with a unit, such as 512Mi or 4Gi, or ${ENGINE_DEFAULT}`;
  const schema = z.string({ error: (issue) => unitMissing(issue.input, rule) }).superRefine((text, context) => {
    if (isUnset(text)) return;
    const bytes = parseMemory(text);
    if (bytes === undefined) context.addIssue({ code: 'custom', message: unitMissing(text, rule) });
    else if (bytes < minimumBytes) {
      context.addIssue({ code: 'custom', message: tooSmall(field, text, formatMemory(minimumBytes)) });
    }
  });
  return schema.meta({ pattern: `^(|${ENGINE_DEFAULT}|${MEMORY_PATTERN})$` });
}

function counted(field: string, options: { minimum: number; whole: boolean; unit: string }) {
  const { minimum, whole, unit } = options;
  const number = (whole ? z.int() : z.number()).min(minimum, {
    error: ({ input }) => tooSmall(field, `${String(input)} ${unit}`, `${minimum} ${unit}`),
  });
  const kind = whole ? 'a whole number' : 'a number';
  return z.union([number, z.enum([ENGINE_DEFAULT, ''])], { error: `must be ${kind} of ${unit}, or ${ENGINE_DEFAULT}` });
}

function tooSmall(field: string, requested: string, minimum: string): string {
  return `${field} limit of ${requested} is too small to work with; the minimum is ${minimum}`;
}

function unitMissing(input: unknown, rule: string): string {
  const bare = typeof input === 'number' || (typeof input === 'string' && /^\d+(\.\d+)?$/.test(input));
  return bare ? `has no unit; ${rule}` : rule;
}

/** Kubernetes' int-or-string knows no fractions, so cores are left open there and checked here. */
const fraction = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString = { 'x-kubernetes-int-or-string': true };

export function limitsSpec() {
  const unset = SANDBOX_DEFAULTS.limits;
  return z
    .strictObject({
      cpus: z
        .preprocess(emptyIsUnset, counted('processor', { minimum: MINIMUMS.cpus, whole: false, unit: 'cores' }))
        .describe('Processor cores, fractions included; at least 0.25.')
        .meta({ ...fraction, builtInDefault: unset.cpus })
        .exactOptional(),
      memory: z
        .preprocess(emptyIsUnset, sized('memory', MINIMUMS.memoryBytes))
        .describe('Memory with its unit, and no swap beyond it; at least 512Mi.')
        .meta({ nullable: true, builtInDefault: unset.memory })
        .exactOptional(),
      processes: z
        .preprocess(emptyIsUnset, counted('process', { minimum: MINIMUMS.processes, whole: true, unit: 'processes' }))
        .describe('Processes and threads at a time; at least 64.')
        .meta({ ...intOrString, builtInDefault: unset.processes })
        .exactOptional(),
      storage: z
        .preprocess(emptyIsUnset, sized('storage', MINIMUMS.storageBytes))
        .describe('Writable storage of the container itself, with its unit; at least 1Gi. Few engines can enforce it.')
        .meta({ nullable: true, builtInDefault: unset.storage })
        .exactOptional(),
    })
    .describe('What the sandbox may use; EngineDefault or an empty value leaves one to the engine.');
}
