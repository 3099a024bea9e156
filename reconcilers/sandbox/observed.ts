import type { RuntimeFailure } from '../../runtimes/errors';
import { LABELS } from '../../runtimes/labels';
import type { ContainerState, EngineProbe, ImageState, PresentContainer, PullProgress } from '../../runtimes/runtime';

/** A directory of the person's that a container was made with. */
export interface RecordedMount {
  readonly source: string;
  readonly readOnly: boolean;
}

/** What is recorded of the one container a sandbox has: written before it is created, so that a crash can't lose it. */
export interface ContainerRecord {
  /** Carried by the container's label: a container without it isn't ours, whatever its other labels say. */
  readonly nonce: string;
  /** Known once the engine answered. */
  readonly id?: string;
  readonly engine: { readonly kind: string; readonly endpoint: string };
  /** The newest request to restart that it was made or started after: engines have clocks of their own to be wrong. */
  readonly servedAt?: number;
  /** What of the person's it was made with. */
  readonly mounts?: readonly RecordedMount[];
  /** Which directories its sources were when it was started: device and inode by path. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** Starts since the sandbox was last healthy, and when the last one was (milliseconds since the epoch). */
export interface RecoveryRecord {
  readonly starts: number;
  readonly lastAt: number;
  /** Of the sandbox, when it was counted: an edited one begins anew. */
  readonly generation: number;
  /** Why the last of them failed. */
  readonly failed?: StartFailure;
}

export interface StartFailure extends RuntimeFailure {
  readonly detail: string;
}

/** One look at the engine. */
export interface SandboxObserved {
  /** Of the engine the container is on, or would be; absent when there was nothing to ask an engine about. */
  readonly probe?: EngineProbe;
  readonly container: ContainerState;
  /** `Foreign`: something has our name that we did not make. */
  readonly ownership: 'None' | 'Ours' | 'Foreign';
  /** Ours was renamed, and another has the name that the next one would need. */
  readonly nameHeld: boolean;
  /** The declared image as the chosen engine has it now. */
  readonly image?: ImageState;
  /** Whether the image is as new as its pull policy wants it for the next container. */
  readonly imageIsFresh: boolean;
  /** Of a transfer of the image that goes on. */
  readonly progress?: PullProgress;
  /** The image of the container, when it is another one. */
  readonly containerImage?: ImageState;
  /** The container is on another engine than the chosen one. */
  readonly moved: boolean;
  readonly nonce: string;
  /** Sources that are another directory now, or none, than when the container was started. Sorted. */
  readonly replaced: readonly string[];
  /** Sources in the container that it would not be given now. Sorted. */
  readonly forbidden: readonly string[];
  /** Host directory of its home, and whether there are files to set aside. */
  readonly home: string;
  readonly hasFiles: boolean;
  /** The newest request to restart that the container was made or started after; 0 when there was none. */
  readonly servedAt: number;
  readonly recovery: RecoveryRecord;
  readonly now: number;
  readonly user: { readonly uid: number; readonly gid: number };
}

export const NO_STARTS: RecoveryRecord = { starts: 0, lastAt: 0, generation: 0 };

export function ownershipOf(
  container: ContainerState,
  record: ContainerRecord | undefined,
): SandboxObserved['ownership'] {
  if (!container.present) return 'None';
  return record && isRecorded(container, record) ? 'Ours' : 'Foreign';
}

function isRecorded(container: PresentContainer, { nonce, id }: ContainerRecord): boolean {
  return container.labels[LABELS.nonce] === nonce && (id === undefined || id === container.id);
}
