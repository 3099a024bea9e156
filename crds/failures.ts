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
