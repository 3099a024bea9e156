/** Reasons of `Accepted`, which every kind has: whether what a person wrote can be worked with. */
export const ACCEPTED_REASONS = [
  /** The manifest is valid and everything it names exists. */
  'Valid',
  /** The newest state of its file cannot be used; the last good one stands. */
  'InvalidManifest',
  /** Its file lies where sessions may write now, so it counts for nothing; the last good one stands. */
  'ManifestExposed',
  /** The newest state of its file has a field that does not exist; the last good one stands. */
  'UnknownField',
  /** It names an object that does not exist. */
  'ReferenceNotFound',
  /** Two documents declare it; the one that came first stands. */
  'DuplicateObject',
  /** Someone else already has the name that it needs. */
  'NameConflict',
  /** Its file no longer declares it, and it is held because of what runs. */
  'ManifestMissing',
  /** It asks for something that this version does not do, and that must not be ignored. */
  'NotSupportedYet',
  /** It is marked for deletion. */
  'Terminating',
  /** No pass over it has ended yet. */
  'NotObserved',
] as const;
