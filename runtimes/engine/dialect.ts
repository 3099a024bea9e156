import type { SpecPart } from '../runtime';
import type { EngineFacts, EngineInfo, LibpodInfo } from './replies';

/** A classifier's word lists: lower case, looked for anywhere in the engine's lower-cased text. */
interface Phrases {
  /** The engine answers, but this user's set-up does not let it work. */
  readonly notPermitted: readonly string[];
  readonly nameTaken: readonly string[];
  readonly containerPaused: readonly string[];
  readonly containerStopped: readonly string[];
  readonly mountRejected: readonly string[];
}

/** Everything in which one engine differs from the other behind the same API. */
export interface Dialect {
  readonly kind: 'Docker' | 'Podman';
  /** The command line that comes with it: its presence tells "not running" from "not installed". */
  readonly command: string;
  /** How it names itself among the components of its version. */
  readonly component: string;
  readonly minimumVersion: string;
  readonly phrases: Phrases;
  /** It makes a directory where a bind source is missing, so sources must be looked at before it is asked. */
  readonly createsMissingSources: boolean;
  /** Names that it sets in a container's environment by itself and echoes as if they had been asked for. */
  readonly addedEnvironment: readonly string[];
  /** How it tells of capabilities, if not as it was asked: as the difference from these. */
  readonly capabilities?: CapabilityReport;
  /** Its own, more telling info next to the Docker-compatible one. */
  readonly libpod: boolean;
  readFacts(info: EngineInfo, libpod: LibpodInfo | undefined): EngineFacts;
  /** The parts of a spec that inspect does not echo as they were asked for. */
  readonly notEchoed: readonly SpecPart[];
}

export interface CapabilityReport {
  /** What a container gets that asks for nothing. */
  readonly defaults: readonly string[];
  /** What its `CapDrop` counts from. */
  readonly reference: readonly string[];
}
