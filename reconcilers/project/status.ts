import type { PassReport, StatusDraft } from '../../controller/pass-reconciler';
import type { ConditionDraft } from '../../crds/conditions';
import type { PROJECT_CONDITIONS, ProjectReason, ProjectStatus } from '../../crds/project';
import type { Protection, Refusal } from '../../host/paths';
import { acceptedCondition } from '../shared/accepted';
import type { ProjectDesired, ProjectObserved } from './types';

type Draft = ConditionDraft<typeof PROJECT_CONDITIONS>;
type Report = PassReport<ProjectDesired, ProjectObserved>;

export function projectStatus(report: Report): StatusDraft<typeof PROJECT_CONDITIONS> {
  const { desired, observed } = report;
  return { conditions: [acceptedCondition(desired), ready(report)], fields: fields(desired, observed) };
}

function fields({ usedBy, mountedIn }: ProjectDesired, observed: ProjectObserved | null): Partial<ProjectStatus> {
  const users = [...new Set([...usedBy, ...mountedIn])].sort();
  if (!observed?.directory.usable || observed.refusal) return { usedBy: users };
  const { git, directory } = observed;
  return {
    path: directory.path,
    identity: directory.identity,
    git: { isRepository: git !== undefined, ...git },
    usedBy: users,
  };
}

function ready({ desired, observed, error }: Report): Draft {
  if (desired.deleting) return draft('False', 'Terminating', 'It is being deleted.');
  if (!observed) return { type: 'Ready', status: 'Unknown', reason: 'NotObserved', message: String(error) };
  const { directory, refusal } = observed;
  if (refusal) return draft('False', REFUSED[refusal.what], refusalMessage(desired.path, refusal));
  if (directory.usable) return draft('True', 'Usable', 'The directory is there and may be mounted.');
  return draft('False', directory.reason, UNUSABLE[directory.reason](desired.path));
}

const REFUSED: Readonly<Record<Protection, ProjectReason>> = {
  Root: 'HoldsRoot',
  Home: 'HoldsHome',
  Manifests: 'HoldsManifests',
  State: 'HoldsState',
  EngineSocket: 'HoldsEngineSocket',
  System: 'PathForbidden',
  Link: 'PathForbidden',
};

const WORDS: Readonly<Record<Protection, string>> = {
  Root: 'the root of the file system',
  Home: 'the home directory',
  Manifests: 'the manifests, which decide what is mounted',
  State: 'Berth’s own data',
  EngineSocket: 'the socket of a container runtime',
  System: 'a directory of the system',
  Link: 'a link that sessions may have made',
};

function refusalMessage(path: string, { what, relation, path: other }: Refusal): string {
  const verb = { Is: 'is', Holds: 'holds', HeldBy: 'lies in', LedBy: 'is reached through' }[relation];
  return `${path} ${verb} ${WORDS[what]} (${other}), and is never given to a sandbox.`;
}

const UNUSABLE = {
  PathMissing: (path: string) => `${path} does not exist. It is used as soon as it does.`,
  NotADirectory: (path: string) => `${path} is not a directory.`,
  NotReadable: (path: string) => `${path} can't be read by the user that the controller runs as.`,
} as const;

function draft(status: 'True' | 'False', reason: ProjectReason, message: string): Draft {
  return { type: 'Ready', status, reason, message };
}
