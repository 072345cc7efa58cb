import { RecentMap } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { RecordedEvent } from "./event-recorder.ts";
import { similarityKey } from "./event-series.ts";

/** So many different messages get an Event each; from then on similar events are merged into one, as in client-go. */
const mostMessages = 9;
/** After so long without any of them the count starts at zero again, as in client-go. */
const forgetMs = 600_000;
const mostRemembered = 4096;

/** Events that differ in nothing but their messages. */
interface Similar {
  /** Few and different. */
  readonly messages: string[];
  lastMs: number;
}

/** An event as it is written, and the key that makes it the same as earlier ones. */
export interface ToldEvent {
  readonly key: string;
  readonly event: RecordedEvent;
  /** Whether similar events are merged into it, so that its message is only the last of many. */
  readonly isCombined: boolean;
}

/** Merges events of an object that differ only in their messages, so that a changing message does not make an Event each time. */
export class SimilarEvents {
  readonly #similar = new RecentMap<string, Similar>(mostRemembered);

  tell(about: KubeObject, event: RecordedEvent, nowMs: number): ToldEvent {
    const similarity = similarityKey(about, event);
    const known = this.#similar.get(similarity);
    const similar = known === undefined || nowMs - known.lastMs > forgetMs ? { messages: [], lastMs: nowMs } : known;
    similar.lastMs = nowMs;
    this.#similar.set(similarity, similar);
    const { message } = event;
    const isKnown = similar.messages.includes(message);
    if (!isKnown && similar.messages.length >= mostMessages) {
      return { key: similarity, event: { ...event, message: `(combined from similar events): ${message}` }, isCombined: true };
    }
    if (!isKnown) similar.messages.push(message);
    return { key: `${similarity} ${message}`, event, isCombined: false };
  }
}
