/** The twelve causes a sandbox can fail for; each is a reason of `Ready`. */
export const FAILURE_CAUSES = [
  'NotInstalled',
  'NotRunning',
  'PermissionDenied',
  'VersionTooOld',
  'ImageNotFound',
  'ImagePullFailed',
  'PortUnavailable',
  'MountRejected',
  'LimitRejected',
  'SandboxStopped',
  'Timeout',
  'Unknown',
] as const;

export type FailureCause = (typeof FAILURE_CAUSES)[number];
