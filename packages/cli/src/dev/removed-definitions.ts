import { sleepUnlessAborted } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";

/** A watch that has ended is begun again after this long. */
const breathMs = 1000;

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
  while (!signal.aborted) {
    try {
      for await (const event of client.watch(CustomResourceDefinition, { signal })) {
        if (event.type === "DELETED") onRemoved(event.object.metadata.name);
      }
    } catch {
      // A cluster that does not answer now may do so later.
    }
    await sleepUnlessAborted(clock, breathMs, signal);
  }
}
