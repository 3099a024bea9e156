import type { ManifestState } from '../../controller/store';
import type { ACCEPTED_REASONS } from '../../crds/reasons';
import type { ManifestProblemReason } from '../../crds/problems';
import type { ConditionStatus } from '../../crds/conditions';

type AcceptedReason = (typeof ACCEPTED_REASONS)[number];

export interface AcceptedDraft {
  readonly type: 'Accepted';
  readonly status: ConditionStatus;
  readonly reason: AcceptedReason;
  readonly message: string;
}

const REASONS: Readonly<Record<ManifestProblemReason, AcceptedReason>> = {
  InvalidYaml: 'InvalidManifest',
  InvalidManifest: 'InvalidManifest',
  Unreadable: 'InvalidManifest',
  UnknownField: 'UnknownField',
  DuplicateObject: 'DuplicateObject',
  NameConflict: 'NameConflict',
  Exposed: 'ManifestExposed',
};

export interface AcceptedInput {
  readonly deleting: boolean;
  readonly manifest: ManifestState | undefined;
  /** What the spec itself asks for and can't have. */
  readonly refused?: { readonly reason: AcceptedReason; readonly message: string };
}

/** Whether what a person wrote can be worked with: the same rules for every kind. */
export function acceptedCondition({ deleting, manifest, refused }: AcceptedInput): AcceptedDraft {
  if (deleting) return draft('False', 'Terminating', 'It is being deleted.');
  if (manifest?.missing) return draft('False', 'ManifestMissing', missingMessage(manifest));
  const problem = manifest?.problems[0];
  if (problem) {
    const where = problem.line > 0 ? `${problem.path}:${problem.line}:${problem.column}` : problem.path;
    return draft('False', REASONS[problem.reason], `${where}: ${problem.message}; what was last declared stands`);
  }
  if (refused) return draft('False', refused.reason, refused.message);
  const warnings = manifest?.warnings ?? [];
  return draft('True', 'Valid', ['The manifest is valid.', ...warnings.map((warning) => `${warning}.`)].join(' '));
}

function missingMessage({ missing, origin }: ManifestState): string {
  const file = origin.type === 'File' ? origin.path : 'its file';
  const why = missing?.massLoss
    ? 'so much went at once that nothing is deleted by itself'
    : 'it is kept while it is in use';
  return `${file} no longer declares it: ${why}. Put it back, or let go of it with ctl approve.`;
}

function draft(status: ConditionStatus, reason: AcceptedReason, message: string): AcceptedDraft {
  return { type: 'Accepted', status, reason, message };
}
