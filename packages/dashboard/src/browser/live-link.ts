import type { LiveMessage } from "../page/live-message.ts";
import type { Link } from "../page/page-state.ts";
import type { Route } from "../page/route.ts";
import { browserClock } from "./browser-clock.ts";
import { storedToken } from "./token.ts";

/** Hears what the server tells, and how the connection to it is. */
export interface LiveListener {
  readonly onMessages: (messages: readonly LiveMessage[]) => void;
  readonly onLink: (link: Link) => void;
}

const retryMs = 1000;

/** Follows what there is to tell of a route, over broken connections and new beginnings, until the signal is aborted. */
export async function follow({ kind, object }: Pick<Route, "kind" | "object">, listener: LiveListener, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams();
  if (kind !== undefined) query.set("kind", kind);
  if (object !== undefined) query.set("object", object);
  while (!signal.aborted) {
    let why = "the dashboard has stopped, or cannot be reached";
    try {
      const response = await fetch(`/live?${query}`, { headers: { authorization: `Bearer ${storedToken()}` }, signal });
      if (response.status === 401) return listener.onLink({ type: "Refused", why: await response.text() });
      if (!response.ok) why = (await response.text()).trim();
      else if (response.body !== null) await read(response.body, listener);
    } catch {
      // Whatever it is, it is shown below and tried again.
    }
    if (signal.aborted) return;
    listener.onLink({ type: "Lost", why });
    await browserClock.sleep(retryMs);
  }
}

/** Reads lines of JSON as they come; those that came together are told together. */
async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, { onMessages }: LiveListener): Promise<void> {
  let rest = "";
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    onMessages(lines.map((line): LiveMessage => JSON.parse(line)));
  }
}
