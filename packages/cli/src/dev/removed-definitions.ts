import { sleepUnlessAborted } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";

/** A watch that has ended is begun again after this long; one that fails again and again, such as for want of permission, after longer and longer. */
const breathMs = { least: 1000, most: 60_000 };

/** What it takes to follow a cluster. */
type Followed = Pick<ClusterSession, "client" | "clock" | "signal">;

/** Tells of each definition that is removed from the cluster, by its name, until it is disposed of. What goes between two watches is not told. */
export function watchRemovedDefinitions(session: Omit<Followed, "signal">, onRemoved: (name: string) => void): AsyncDisposable {
  const over = new AbortController();
  const followed = follow({ ...session, signal: over.signal }, onRemoved);
  return {
    [Symbol.asyncDispose]: () => {
      over.abort();
      return followed;
    },
  };
}

async function follow({ client, clock, signal }: Followed, onRemoved: (name: string) => void): Promise<void> {
  let pauseMs = breathMs.least;
  while (!signal.aborted) {
    try {
      for await (const event of client.watch(CustomResourceDefinition, { signal })) {
        if (event.type === "DELETED") onRemoved(event.object.metadata.name);
        pauseMs = breathMs.least;
      }
      pauseMs = breathMs.least;
    } catch {
      // A cluster that does not answer now may do so later.
      pauseMs = Math.min(pauseMs * 2, breathMs.most);
    }
    await sleepUnlessAborted(clock, pauseMs, signal);
  }
}
