import { jsonOf, textAt, valueAt } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { EventLine } from "../page/live-message.ts";

/** Whom an Event is about is added by whoever knows the kinds. */
export type EventText = Omit<EventLine, "about">;

/** Events by the uid of what they are about. Of too many, those that came first are forgotten. */
export class EventBook {
  readonly #limit: number;
  /** By the uid of the Event, the one that was told first is the first. */
  readonly #events = new Map<string, { readonly about: string; readonly text: EventText }>();
  /** Uids of Events by the uid of what they are about. Exactly those in `#events`. */
  readonly #about = new Map<string, Set<string>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#events.size;
  }

  /** Notes an Event, and returns the uid of what it is about. */
  put(uid: string, event: DynamicObject): string {
    this.remove(uid);
    const about = textAt(jsonOf(event), "involvedObject", "uid");
    this.#events.set(uid, { about, text: eventText(uid, event) });
    this.#about.set(about, (this.#about.get(about) ?? new Set()).add(uid));
    const oldest = this.#events.keys().next().value;
    if (this.#events.size > this.#limit && oldest !== undefined) this.remove(oldest);
    return about;
  }

  remove(uid: string): void {
    const event = this.#events.get(uid);
    if (event === undefined) return;
    this.#events.delete(uid);
    const others = this.#about.get(event.about);
    others?.delete(uid);
    if (others?.size === 0) this.#about.delete(event.about);
  }

  of(about: string): readonly EventText[] {
    return [...(this.#about.get(about) ?? [])].flatMap((uid) => this.#events.get(uid)?.text ?? []);
  }
}

function eventText(id: string, event: DynamicObject): EventText {
  const fields = jsonOf(event);
  const { type, series, count: single, lastTimestamp, eventTime } = fields;
  const count = valueAt(series, "count") ?? single;
  const times = [valueAt(series, "lastObservedTime"), lastTimestamp, eventTime, event.metadata.creationTimestamp];
  return {
    id,
    isWarning: type === "Warning",
    reason: textAt(fields, "reason"),
    message: textAt(fields, "message"),
    source: textAt(fields, "reportingComponent") || textAt(fields, "source", "component"),
    count: typeof count === "number" ? count : 1,
    last: times.find((time) => typeof time === "string"),
  };
}
