import type { LiveMessage } from "../page/live-message.ts";
import type { Link } from "../page/page-state.ts";
import type { Route } from "../page/route.ts";
import { browserClock, retryMs } from "./browser-clock.ts";
import { readStream } from "./server-stream.ts";

/** Hears what the server tells, and how the connection to it is. */
export interface LiveListener {
  readonly onMessages: (messages: readonly LiveMessage[]) => void;
  readonly onLink: (link: Link) => void;
}

/** Follows what there is to tell of a route, over broken connections and new beginnings, until the signal is aborted. */
export async function follow({ kind, object }: Pick<Route, "kind" | "object">, listener: LiveListener, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams();
  if (kind !== undefined) query.set("kind", kind);
  if (object !== undefined) query.set("object", object);
  const hear = (lines: readonly string[]): void => listener.onMessages(lines.map((line): LiveMessage => JSON.parse(line)));
  while (!signal.aborted) {
    const { type, why } = await readStream(`/live?${query}`, hear, signal);
    if (signal.aborted) return;
    if (type === "Refused") return listener.onLink({ type, why });
    listener.onLink({ type: "Lost", why });
    await browserClock.sleep(retryMs);
  }
}
