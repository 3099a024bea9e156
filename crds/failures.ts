import type { CatalogueEntry } from './failure-catalogue';
import { FAILURE_CATALOGUE } from './failure-catalogue';
import { printable } from './text';

/** The twelve causes a sandbox can fail for; each is a reason of `Ready`. */
export const FAILURE_CAUSES = [
  /** The container runtime is not on this machine. */
  'NotInstalled',
  /** The container runtime is there, but its service is down. */
  'NotRunning',
  /** The container runtime runs, but this user may not use it. */
  'PermissionDenied',
  /** The container runtime is older than what Berth needs. */
  'VersionTooOld',
  /** The image is neither here nor where it should come from. */
  'ImageNotFound',
  /** The image is there, but could not be fetched. */
  'ImagePullFailed',
  /** A port that the sandbox publishes is taken. */
  'PortUnavailable',
  /** The container runtime refused to mount something the sandbox needs. */
  'MountRejected',
  /** The container runtime refused a limit. */
  'LimitRejected',
  /** The container was stopped or removed by somebody else. */
  'SandboxStopped',
  /** A step did not end in time. */
  'Timeout',
  /** None of the others; the container runtime's own words are kept. */
  'Unknown',
] as const;

export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** The stages of bringing a sandbox up, in their order. */
export const STAGES = ['CheckingRuntime', 'GettingImage', 'Creating', 'Starting'] as const;

export type Stage = (typeof STAGES)[number];

/** A stage as it stands in a sentence: "the sandbox failed while …". */
export const STAGE_TITLES: Readonly<Record<Stage, string>> = {
  CheckingRuntime: 'checking the container runtime',
  GettingImage: 'getting the sandbox image',
  Creating: 'creating the sandbox',
  Starting: 'starting the sandbox',
};

/** A failure as the place that met it knows it. Slots without a value may be left out or empty. */
export interface FailureFacts {
  readonly cause: FailureCause;
  readonly slots?: Readonly<Record<string, string>>;
  /** Where it happened; left out, where this cause usually does. */
  readonly stage?: Stage;
  /** As Settings call it, e.g. `Docker`. */
  readonly runtime?: string;
  /** As Node.js calls it, e.g. `darwin`. */
  readonly platform?: string;
}

export interface FailureText {
  /** One sentence: which stage, and what went wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** What a person is told about a failed sandbox. The same facts always give the same bytes. */
export function describeFailure(facts: FailureFacts): FailureText {
  const { sentence, remedy } = describeCause(facts);
  const stage = facts.stage ?? usualStage(facts.cause);
  return { message: `The sandbox failed while ${STAGE_TITLES[stage]}: ${sentence}`, remedy };
}

/** The same where it is not about a sandbox: what went wrong, without a stage. */
export function describeCause(facts: FailureFacts): { readonly sentence: string; readonly remedy: string } {
  const entry: CatalogueEntry = FAILURE_CATALOGUE[facts.cause];
  const slots = slotValues(facts);
  return { sentence: `${fill(entry.message, slots)}.`, remedy: fill(remedyFor(entry, facts), slots) };
}

/** The stage that a cause is met in when nobody says another. */
export function usualStage(cause: FailureCause): Stage {
  return FAILURE_CATALOGUE[cause].usualStage;
}

function remedyFor({ remedy }: CatalogueEntry, { runtime = '', platform = '' }: FailureFacts): string {
  return remedy[`${runtime}/${platform}`] ?? remedy[runtime] ?? remedy.other;
}

/** The words of limits are the catalogue's, not the field's. */
const LIMIT_WORDS: Readonly<Record<string, string>> = {
  cpus: 'processor',
  processes: 'process',
};

function slotValues(facts: FailureFacts): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(facts.slots ?? {})) {
    const text = firstLine(name === 'limit' ? (LIMIT_WORDS[value] ?? value) : value);
    const isNoPort = name === 'port' && Number(text) === 0;
    if (text !== '' && !isNoPort) values.set(name, text);
  }
  values.set('runtime', facts.runtime ?? values.get('runtime') ?? 'the container runtime');
  return values;
}

function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return printable(line.trim().replace(/[.\s]+$/, ''));
}

const SLOT = /\{(\w+)\}/g;
const CHOICE = /\[([^[\]|]*)(?:\|([^[\]]*))?\]/g;

/** Choices first, values last: what an engine said is never read as a template. */
function fill(template: string, slots: ReadonlyMap<string, string>): string {
  const chosen = template.replace(CHOICE, (_, text: string, otherwise: string | undefined) =>
    [...text.matchAll(SLOT)].every(([, name = '']) => slots.has(name)) ? text : (otherwise ?? ''),
  );
  return chosen.replace(SLOT, (_, name: string) => slots.get(name) ?? '');
}
