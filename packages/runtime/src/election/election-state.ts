import type { Lease } from "@kaji/types/coordination/v1";
import type { ElectionTiming } from "./election-timing.ts";
import type { LeaseLoss } from "./lease-lost-error.ts";
import { durationMsOf, holderOf, isSameRecord } from "./lease-record.ts";

/** The identity of a candidate, and its times. */
export interface Candidate extends ElectionTiming {
  readonly identity: string;
}

/** The state of a candidate. All times are of its own monotonic clock: times that other candidates wrote into the lease are never compared with it. */
export type ElectionState =
  /** It has to read the lease, no sooner than `notBeforeMs`. */
  | { readonly type: "Looking"; readonly seen: Sighting | undefined; readonly notBeforeMs: number }
  /** It has seen the lease, or that there is none, and waits until it may take it. */
  | { readonly type: "Following"; readonly seen: Sighting }
  /** It holds the lease. */
  | {
      readonly type: "Leading";
      /** Undefined when another client deleted it. */
      readonly lease: Lease | undefined;
      /** When the lease counts as lost unless it has been renewed before: soon after, another candidate may lead. */
      readonly deadlineMs: number;
      readonly nextRenewalMs: number;
      /** Whether another client has written the lease, so that it has to be read before the next renewal. */
      readonly mustLook: boolean;
    }
  /** It held the lease, and does no longer. */
  | { readonly type: "Lost"; readonly reason: Exclude<LeaseLoss, "NotElected" | "Unsure"> };

/** A lease as it was first seen in this state, and when it may be taken. */
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
  /** Another client has written the lease in between. */
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
      // The answer came after the renew deadline of the claim: not elected, claim again.
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
      // The server may have stored the claim all the same: then the next one is a Conflict, and the lease is read again.
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
  // Counted from when the claim was sent: other candidates saw it no earlier, so that they count from later.
  return { type: "Leading", lease, deadlineMs: sentMs + renewDeadlineMs, nextRenewalMs: sentMs + retryPeriodMs, mustLook: false };
}

function expired(state: ElectionState & { readonly type: "Leading" }, nowMs: number): ElectionState {
  return nowMs >= state.deadlineMs ? { type: "Lost", reason: "Expired" } : state;
}

/**
 * When the lease may be taken: one that another candidate holds, its duration after this renewal was first seen; one that was deleted, no sooner than if it
 * still existed, since its holder may not know yet.
 */
function sighting(seen: Sighting | undefined, { lease, nowMs }: ElectionEvent & { readonly type: "Seen" }, identity: string): Sighting {
  if (lease === undefined) return { lease, freeMs: seen?.freeMs ?? nowMs };
  const holder = holderOf(lease);
  if (holder === "" || holder === identity) return { lease, freeMs: nowMs };
  const isKnown = seen?.lease !== undefined && isSameRecord(seen.lease, lease);
  return { lease, freeMs: isKnown ? seen.freeMs : nowMs + durationMsOf(lease) };
}
