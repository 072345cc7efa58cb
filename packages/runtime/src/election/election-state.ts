import type { Lease } from "@kaji/types/coordination/v1";
import type { LeaseLoss } from "./lease-lost-error.ts";
import { durationMsOf, holderOf, isSameRecord } from "./lease-record.ts";

/** Times of an election, in milliseconds. */
export interface ElectionTiming {
  /** How long others wait after the last renewal they saw before they take the lease. */
  readonly leaseDurationMs: number;
  /** How long a leader goes on without having renewed. Shorter, so that it has stopped before others begin. */
  readonly renewDeadlineMs: number;
  /** How often a leader renews, and how long anybody waits after a failure. */
  readonly retryPeriodMs: number;
}

/** Who runs for the office, and in which times. */
export interface Candidate extends ElectionTiming {
  readonly identity: string;
}

/** Where a candidate is. All times are of its own monotonic clock: what others write into the lease as times is never compared with it. */
export type ElectionState =
  /** It has to look at the lease, no sooner than `notBeforeMs`. */
  | { readonly type: "Looking"; readonly seen: Sighting | undefined; readonly notBeforeMs: number }
  /** It has seen the lease, or that there is none, and waits until it may take it. */
  | { readonly type: "Following"; readonly seen: Sighting }
  /** It holds the lease. */
  | {
      readonly type: "Leading";
      /** Undefined when somebody deleted it. */
      readonly lease: Lease | undefined;
      /** From then on somebody else may soon lead, unless it has been renewed. */
      readonly deadlineMs: number;
      readonly nextRenewalMs: number;
      /** Whether somebody has written the lease, so that it has to be looked at first. */
      readonly mustLook: boolean;
    }
  /** It held the lease, and does no longer. */
  | { readonly type: "Lost"; readonly reason: Exclude<LeaseLoss, "NotElected" | "Unsure"> };

/** A lease as it was seen for the first time, and when. */
export interface Sighting {
  /** Undefined when there was none. */
  readonly lease: Lease | undefined;
  /** From then on it may be taken. */
  readonly freeMs: number;
}

/** What a candidate does next. */
export type ElectionAction =
  | { readonly type: "Look" }
  /** Takes or renews the lease if it is still the same one; undefined is one that has to be created. */
  | { readonly type: "Claim"; readonly lease: Lease | undefined }
  | { readonly type: "Wait"; readonly untilMs: number }
  | { readonly type: "Stop" };

/** What can happen to a candidate. */
export type ElectionEvent =
  /** The server showed the lease, or that there is none. */
  | { readonly type: "Seen"; readonly lease: Lease | undefined; readonly nowMs: number }
  /** The server has stored our claim, which was sent at `sentMs`. */
  | { readonly type: "Claimed"; readonly lease: Lease; readonly sentMs: number; readonly nowMs: number }
  /** Somebody else has written the lease in between. */
  | { readonly type: "Outrun"; readonly nowMs: number }
  /** The server refused, or there was no answer: a claim may have been stored or not. */
  | { readonly type: "Failed"; readonly nowMs: number; readonly retryMs: number }
  /** Time has passed. */
  | { readonly type: "Time"; readonly nowMs: number }
  | { readonly type: "Released" };

/** How every candidate begins. */
export const firstState: ElectionState = { type: "Looking", seen: undefined, notBeforeMs: 0 };

/** What to do in a state. */
export function nextAction(state: ElectionState, nowMs: number): ElectionAction {
  switch (state.type) {
    case "Looking":
      return state.notBeforeMs <= nowMs ? { type: "Look" } : { type: "Wait", untilMs: state.notBeforeMs };
    case "Following": {
      const { lease, freeMs } = state.seen;
      return freeMs <= nowMs ? { type: "Claim", lease } : { type: "Wait", untilMs: freeMs };
    }
    case "Leading":
      if (state.nextRenewalMs > nowMs) return { type: "Wait", untilMs: Math.min(state.nextRenewalMs, state.deadlineMs) };
      return state.mustLook ? { type: "Look" } : { type: "Claim", lease: state.lease };
    case "Lost":
      return { type: "Stop" };
    default:
      return state satisfies never;
  }
}

/** Where an event leads the candidate of that identity. */
export function step(state: ElectionState, event: ElectionEvent, candidate: Candidate): ElectionState {
  if (event.type === "Released") return { type: "Lost", reason: "Released" };
  switch (state.type) {
    case "Looking":
    case "Following":
      return stepWaiting(state, event, candidate);
    case "Leading":
      return stepLeading(state, event, candidate);
    case "Lost":
      return state;
    default:
      return state satisfies never;
  }
}

type Event = Exclude<ElectionEvent, { readonly type: "Released" }>;

function stepWaiting(state: ElectionState & { readonly type: "Looking" | "Following" }, event: Event, candidate: Candidate): ElectionState {
  switch (event.type) {
    case "Seen":
      return { type: "Following", seen: sighting(state.seen, event, candidate.identity) };
    case "Claimed": {
      const elected = expired(leading(event, candidate), event.nowMs);
      // An answer that came too late to begin with it is no loss: it is claimed anew.
      return elected.type === "Leading" ? elected : { type: "Looking", seen: state.seen, notBeforeMs: 0 };
    }
    case "Outrun":
      return { type: "Looking", seen: state.seen, notBeforeMs: 0 };
    case "Failed":
      return { type: "Looking", seen: state.seen, notBeforeMs: event.nowMs + event.retryMs };
    case "Time":
      return state;
    default:
      return event satisfies never;
  }
}

function stepLeading(state: ElectionState & { readonly type: "Leading" }, event: Event, candidate: Candidate): ElectionState {
  switch (event.type) {
    case "Seen":
      if (event.lease !== undefined && holderOf(event.lease) !== candidate.identity) return { type: "Lost", reason: "Taken" };
      return expired({ ...state, lease: event.lease, mustLook: false }, event.nowMs);
    case "Claimed":
      return expired(leading(event, candidate), event.nowMs);
    case "Outrun":
      return expired({ ...state, mustLook: true }, event.nowMs);
    case "Failed":
      // The claim may have been stored all the same: then the next one is outrun by it, and looks.
      return expired({ ...state, nextRenewalMs: event.nowMs + event.retryMs }, event.nowMs);
    case "Time":
      return expired(state, event.nowMs);
    default:
      return event satisfies never;
  }
}

function leading(
  { lease, sentMs }: ElectionEvent & { readonly type: "Claimed" },
  { renewDeadlineMs, retryPeriodMs }: ElectionTiming,
): ElectionState & { readonly type: "Leading" } {
  // It has reached the server when it was sent or later, so others count from then or later.
  return { type: "Leading", lease, deadlineMs: sentMs + renewDeadlineMs, nextRenewalMs: sentMs + retryPeriodMs, mustLook: false };
}

function expired(state: ElectionState & { readonly type: "Leading" }, nowMs: number): ElectionState {
  return nowMs >= state.deadlineMs ? { type: "Lost", reason: "Expired" } : state;
}

/**
 * When what is seen may be taken: a lease that somebody holds, its duration after it was first seen so; one that somebody deleted, no sooner than if it were there, since
 * its holder does not know yet.
 */
function sighting(seen: Sighting | undefined, { lease, nowMs }: ElectionEvent & { readonly type: "Seen" }, identity: string): Sighting {
  if (lease === undefined) return { lease, freeMs: seen?.freeMs ?? nowMs };
  const holder = holderOf(lease);
  if (holder === "" || holder === identity) return { lease, freeMs: nowMs };
  const isKnown = seen?.lease !== undefined && isSameRecord(seen.lease, lease);
  return { lease, freeMs: isKnown ? seen.freeMs : nowMs + durationMsOf(lease) };
}
