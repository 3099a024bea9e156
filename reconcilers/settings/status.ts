import type { PassReport, StatusDraft } from '../../controller/pass-reconciler';
import { describeCause } from '../../crds/failures';
import type { ConditionDraft, ConditionStatus } from '../../crds/conditions';
import type { SETTINGS_CONDITIONS, SettingsConditionType, SettingsReason, SettingsStatus } from '../../crds/settings';
import { LIMITS, type EngineProbe } from '../../runtimes/runtime';
import { acceptedCondition } from '../shared/accepted';
import { causeOf } from '../shared/failure';
import type { SettingsDesired } from './types';

/** A directory of files in which nothing is right must not make a status that nobody can read or keep. */
const MOST_LISTED = 100;
const MOST_TOLD = 10;

type Draft = ConditionDraft<typeof SETTINGS_CONDITIONS>;
type Report = PassReport<SettingsDesired, EngineProbe>;

export function settingsStatus(report: Report): StatusDraft<typeof SETTINGS_CONDITIONS> {
  const { desired, observed } = report;
  const { manifest, directory, problems } = desired;
  return {
    conditions: [acceptedCondition({ deleting: false, manifest }), ready(report), manifestsValid(desired)],
    fields: {
      ...(observed ? engineFields(observed) : {}),
      manifests: {
        directory: directory.path,
        files: directory.files,
        problems: problems.slice(0, MOST_LISTED),
        warnings: directory.warnings.slice(0, MOST_LISTED),
      },
    },
  };
}

function draft<Type extends SettingsConditionType>(
  type: Type,
  status: ConditionStatus,
  reason: SettingsReason<Type>,
  message: string,
): Draft {
  return { type, status, reason, message };
}

function ready({ desired, observed, error }: Report): Draft {
  const { kind } = desired.spec.runtime;
  if (observed) return draft('Ready', 'True', 'RuntimeReady', `${kind} ${observed.version} answers.`);
  if (!desired.engineNeeded) return draft('Ready', 'True', 'Disabled', 'Sandboxes are off: nothing asks for one.');
  const { cause, slots } = causeOf(error);
  const { sentence, remedy } = describeCause({ cause, slots, runtime: kind });
  return draft('Ready', 'False', cause, `${sentence} ${remedy}`.trim());
}

function manifestsValid({ directory, problems }: SettingsDesired): Draft {
  if (!directory.readable) {
    return draft(
      'ManifestsValid',
      'False',
      'DirectoryMissing',
      `${directory.path} can't be read; everything stays as it is.`,
    );
  }
  if (problems.length === 0) return draft('ManifestsValid', 'True', 'Valid', 'Every manifest could be used.');
  const texts = problems.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`);
  const told = texts.toSorted().slice(0, MOST_TOLD);
  const more = texts.length > told.length ? [`and ${texts.length - told.length} more`] : [];
  return draft('ManifestsValid', 'False', 'InvalidManifests', [...told, ...more].join('; '));
}

function engineFields(probe: EngineProbe): Partial<SettingsStatus> {
  const { kind, version, apiVersion, endpoint, rootless, cgroupVersion, storageDriver, identity } = probe;
  const limits = LIMITS.map((name) => ({ name, ...probe.limits[name] }));
  return {
    runtime: { kind, version, apiVersion, endpoint, rootless, cgroupVersion, storageDriver, identity },
    capabilities: { limits },
  };
}
