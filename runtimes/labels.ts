/** Label keys on everything Berth creates in an engine. Labels index; ownership itself is recorded in the state store. */
const PREFIX = 'dev.berth';

export const LABELS = {
  /** Always `berth`. */
  owner: `${PREFIX}.owner`,
  kind: `${PREFIX}.kind`,
  name: `${PREFIX}.name`,
  uid: `${PREFIX}.uid`,
  /** Which controller home this belongs to. */
  instance: `${PREFIX}.instance`,
  /** A random mark of one create request, recorded before the request is sent. */
  nonce: `${PREFIX}.nonce`,
  /** The scheme by which the hashes were computed; others are not compared. */
  hashVersion: `${PREFIX}.spec-hash.version`,
} as const;

export const OWNER = 'berth';

/** The label that holds the hash of one part of the container's spec. */
export function hashLabel(part: string): string {
  return `${PREFIX}.spec-hash.${part}`;
}

export function instanceSelector(instance: string): Record<string, string> {
  return { [LABELS.owner]: OWNER, [LABELS.instance]: instance };
}
