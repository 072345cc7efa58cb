import type { KubeObject } from "@kaji/core";
import type { RecordedEvent } from "./event-recorder.ts";
import { RecentMap } from "../controller/recent-map.ts";
import { similarityKey } from "./event-series.ts";

/** As many different messages are told one by one; whatever else is said of the same is told together, as in client-go. */
const mostMessages = 9;
/** After so long without any of them the count begins anew, as in client-go. */
const forgetMs = 600_000;
const mostRemembered = 4096;

/** Events that differ in nothing but their messages. */
interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

/** An event as it is told, and what makes it the same as others before it. */
export interface ToldEvent {
  readonly key: string;
  readonly event: RecordedEvent;
  /** Whether others like it are told with it, so that its message is only the last of many. */
  readonly isCombined: boolean;
}

/** Keeps something that is said of an object in ever different words from becoming as many Events. */
export class SimilarEvents {
  readonly #similar = new RecentMap<string, Similar>(mostRemembered);

  tell(about: KubeObject, event: RecordedEvent, nowMs: number): ToldEvent {
    const similarity = similarityKey(about, event);
    const known = this.#similar.get(similarity);
    const similar = known === undefined || nowMs - known.lastMs > forgetMs ? { messages: new Set<string>(), lastMs: nowMs } : known;
    similar.lastMs = nowMs;
    this.#similar.set(similarity, similar);
    const { message } = event;
    if (!similar.messages.has(message) && similar.messages.size >= mostMessages) {
      return { key: similarity, event: { ...event, message: `(combined from similar events): ${message}` }, isCombined: true };
    }
    similar.messages.add(message);
    return { key: `${similarity} ${message}`, event, isCombined: false };
  }
}
