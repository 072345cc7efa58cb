import type { Query } from "./query.ts";
import { selectionQuery } from "./selection.ts";
import type { Selection } from "./selection.ts";

/** How one object is read. */
export interface GetOptions {
  /** A version that the answer must not be older than; `"0"` takes whatever the server has at hand. Default: the newest. */
  readonly resourceVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a version that is asked for is meant. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

/** Which objects are listed, and as of when. */
export interface ListOptions extends Selection {
  /** At most so many; where more follow, the list's `metadata.continue` says where to go on. Default: all. */
  readonly limit?: number | undefined;
  /** Where the page before ended. */
  readonly continue?: string | undefined;
  /** The version to list, as `resourceVersionMatch` says. Default: the newest. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which objects are watched, and from when. */
export interface WatchOptions extends Selection {
  /** What happened after this version is told. Default: all that is there now as `ADDED`, then what happens. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** Asks for `BOOKMARK` events now and then. Default false. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Begins with all that is there, and a bookmark at its end. Needs `resourceVersionMatch: "NotOlderThan"` and bookmarks. */
  readonly sendInitialEvents?: boolean | undefined;
  /** The server ends the watch after so many seconds. Default: what the server thinks best, up to an hour. */
  readonly timeoutSeconds?: number | undefined;
  /** Ends the watch when aborted: its iteration then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The parameters of a list. */
export function listQuery(options: ListOptions): Query {
  const { limit, continue: next, resourceVersion, resourceVersionMatch } = options;
  return { ...selectionQuery(options), limit, continue: next, resourceVersion, resourceVersionMatch };
}

/** The parameters of a watch. */
export function watchQuery(options: WatchOptions): Query {
  const { resourceVersion, resourceVersionMatch, allowWatchBookmarks, sendInitialEvents, timeoutSeconds } = options;
  return {
    watch: true,
    ...selectionQuery(options),
    resourceVersion,
    resourceVersionMatch,
    allowWatchBookmarks: allowWatchBookmarks === true ? true : undefined,
    sendInitialEvents,
    timeoutSeconds,
  };
}
