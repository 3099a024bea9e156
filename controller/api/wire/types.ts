import type { ObjectMeta, Resource } from '../../../crds/meta';

/** Shapes of the Kubernetes API that kubectl reads, as far as Berth serves them (k8s.io/apimachinery, meta/v1). */
export interface ListMeta {
  readonly resourceVersion: string;
}

export interface List<Item> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListMeta;
  readonly items: readonly Item[];
}

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
}

export type StatusReason =
  | 'BadRequest'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'UnsupportedMediaType'
  | 'RequestEntityTooLarge'
  | 'Conflict'
  | 'Invalid'
  | 'Expired'
  | 'ServiceUnavailable'
  | 'InternalError';

/** The body of every error, and of a deletion that left nothing behind. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Record<string, never>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  /** The HTTP status. */
  readonly code: number;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string';
  readonly format: '' | 'name';
  readonly description: string;
  /** 0 is always shown, 1 only with `-o wide`. */
  readonly priority: 0 | 1;
}

export interface PartialObjectMetadata {
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly kind: 'PartialObjectMetadata';
  readonly metadata: ObjectMeta | EventMeta;
}

export interface TableRow {
  readonly cells: readonly string[];
  readonly object?: PartialObjectMetadata | Resource | CoreEvent;
}

export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}

export type WatchType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** One line of a watch. */
export interface WatchEvent<Item = unknown> {
  readonly type: WatchType;
  readonly object: Item;
}

export interface EventMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
}

/** core/v1 Event: what happened to an object, merged when it repeats. */
export interface CoreEvent {
  readonly apiVersion: 'v1';
  readonly kind: 'Event';
  readonly metadata: EventMeta;
  readonly involvedObject: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
  readonly source: { readonly component: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

/** Answer of `/berth/status`: which controller this is. Directories are absolute, the uptime is in seconds. */
export interface ControllerStatus {
  readonly pid: number;
  readonly version: string;
  /** False until the first scan of the manifests is in the store. */
  readonly ready: boolean;
  /** Present when one directory holds everything. */
  readonly home?: string;
  readonly manifests: string;
  readonly data: string;
  readonly state: string;
  readonly socket: string;
  readonly startedAt: string;
  readonly uptimeSeconds: number;
  /** What keeps it from its work, one sentence each; present while something does. Objects have conditions of their own. */
  readonly problems?: readonly string[];
}

export const STATUS_PATH = '/berth/status';
export const TABLE_ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io';
