import type { FastifyReply } from 'fastify';
import type { ApiDeps } from '../deps';
import type { TableRequest } from '../tables';
import { toTable } from '../tables';
import { WatchStream } from '../watch-stream';
import type { View } from '../accept';
import type { CoreEvent, WatchEvent, WatchType } from '../wire/types';
import type { Resource } from '../../../crds/meta';
import type { Query } from './query';

const BOOKMARK_MS = 60_000;

/** Takes the response over from fastify and keeps it open; ends it when the client's timeout has passed. */
export function openWatch(deps: ApiDeps, reply: FastifyReply, query: Query): WatchStream {
  reply.hijack();
  const stream = new WatchStream(reply.raw, deps.clock);
  deps.watches.add(stream);
  stream.onEnd(() => deps.watches.delete(stream));
  if (query.timeoutSeconds !== undefined) {
    const forget = deps.clock.after(query.timeoutSeconds * 1000, () => {
      stream.end();
    });
    stream.onEnd(forget);
  }
  return stream;
}

/** Sends `make()` every minute: the client learns how far it is, and a peer that has gone is noticed. */
export function sendBookmarks(deps: ApiDeps, stream: WatchStream, make: () => unknown): void {
  let forget = (): void => undefined;
  const arm = (): void => {
    forget = deps.clock.after(BOOKMARK_MS, () => {
      stream.send({ type: 'BOOKMARK', object: make() });
      if (stream.open) arm();
    });
  };
  arm();
  stream.onEnd(() => {
    forget();
  });
}

type Columns<Item> = TableRequest<Item>['columns'];

/** Makes the lines of one watch. A table watch defines its columns in the first line only, as Kubernetes does. */
export function lineMaker<Item extends Resource | CoreEvent>(
  deps: ApiDeps,
  view: View,
  columns: Columns<Item>,
): (type: WatchType, item: Item) => WatchEvent {
  let first = true;
  return (type, item) => {
    if (view.as === 'Object') return { type, object: item };
    const { resourceVersion } = item.metadata;
    const now = deps.clock.now();
    const table = toTable({ columns, items: [item], resourceVersion, include: view.include, now });
    const object = first ? table : { ...table, columnDefinitions: [] };
    first = false;
    return { type, object };
  };
}
