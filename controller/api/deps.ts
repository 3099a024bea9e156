import type { Clock } from '../clock';
import type { Logger } from '../log';
import type { StoreReader, StoreRequests } from '../store';
import type { ChangeWindow } from './change-window';
import type { EventReader } from './events';
import type { WatchStream } from './watch-stream';
import type { ControllerStatus } from './wire/types';

/** What the API needs of the controller around it. */
export interface ApiOptions {
  readonly store: StoreReader & StoreRequests;
  readonly events: EventReader;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of Berth itself, e.g. `0.1.0`. */
  readonly version: string;
  readonly status: () => ControllerStatus;
}

/** What the routes share. */
export interface ApiDeps extends ApiOptions {
  readonly changes: ChangeWindow;
  /** Open watches: they would keep the server from closing. */
  readonly watches: Set<WatchStream>;
}
