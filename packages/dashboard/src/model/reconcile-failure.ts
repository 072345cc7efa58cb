import type { Health } from "../page/live-message.ts";
import type { EventText } from "./event-book.ts";
import type { Entry } from "./kind-table.ts";

/** What the runtime calls the Event about an object whose reconciles fail. */
const failure = "ReconcileFailed";

/** The runtime tries again after two minutes at the latest, and tells of it again a minute later: whoever has been silent for much longer fails no more. */
const silenceMs = 10 * 60_000;

/** The entry as failing while its Events say that its reconciles fail, which nothing in the object itself need tell. Nothing withdraws an Event: one is of the past once the object was written after it, or when it has not come again for long. */
export function withReconcileFailure(entry: Entry, events: readonly EventText[], nowMs: number): Entry {
  const { row, own, writtenMs } = entry;
  const sinceMs = Math.max(writtenMs, nowMs - silenceMs);
  const fails = events.some(({ isWarning, reason, last }) => isWarning && reason === failure && Date.parse(last ?? "") >= sinceMs);
  const { state, why }: Health = fails && own.state !== "Bad" ? { state: "Bad", why: failureOf(own) } : own;
  return row.state === state && row.why === why ? entry : { ...entry, row: { ...row, state, why } };
}

/** What the object itself says of why it is not ready says more than that. */
function failureOf({ state, why }: Health): string {
  return state === "Waiting" ? `${failure}: ${why}` : failure;
}
