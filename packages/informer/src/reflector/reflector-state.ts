import { isReason } from "@kaji/core";
import type { ApiError } from "@kaji/core";
import { isOlder } from "./resource-version.ts";

/** Where a Reflector is: which request it makes next, or has under way. */
export type ReflectorState =
  /** Asks for everything by a watch that begins with what there is. */
  | { readonly type: "Streaming" }
  /** Asks for everything page by page, since streaming did not work. */
  | { readonly type: "Paging"; readonly continue: string | undefined }
  /** Has everything up to a version, and asks for what happened since. */
  | {
      readonly type: "Watching";
      readonly resourceVersion: string;
      /** Whether the last watch that was accepted told nothing, and then there was silence, or it was closed at once. */
      readonly inVain: boolean;
    };

/** What can happen to a Reflector. */
export type ReflectorEvent =
  /** The last of the initial events of a stream has come. */
  | { readonly type: "Streamed"; readonly resourceVersion: string }
  | { readonly type: "Page"; readonly resourceVersion: string; readonly continue: string | undefined }
  /** An event or a bookmark has come. */
  | { readonly type: "Progress"; readonly resourceVersion: string }
  /** The server closed the watch in order; soon after it was accepted, and with nothing told, if `atOnce`. */
  | { readonly type: "Closed"; readonly atOnce: boolean }
  /** Nothing has come for too long, after the request was accepted, which has a limit of its own, or not even that: the connection may be half-open. */
  | { readonly type: "Silent"; readonly isAccepted: boolean; readonly limitMs: number }
  /** There was no answer, or it broke off. */
  | { readonly type: "Broken"; readonly error: unknown }
  /** The answer is not what it should be. */
  | { readonly type: "Malformed"; readonly error: Error }
  | { readonly type: "Refused"; readonly error: ApiError };

/** How everything is asked for of a server that is asked over a network. */
export const streaming: ReflectorState = { type: "Streaming" };
/** How everything is asked for where that did not work, and within a process, where no bookmark ends a stream. */
export const firstPage: ReflectorState = { type: "Paging", continue: undefined };

/** Where an event leads; `first` is where all begins anew. It is the whole of the recovery: every rule of the SPEC is a line here. */
export function step(state: ReflectorState, event: ReflectorEvent, first: ReflectorState): ReflectorState {
  switch (state.type) {
    case "Streaming":
      return stepStreaming(state, event);
    case "Paging":
      return stepPaging(state, event, first);
    case "Watching":
      return stepWatching(state, event, first);
    default:
      return state satisfies never;
  }
}

function watchingFrom(resourceVersion: string): ReflectorState {
  return { type: "Watching", resourceVersion, inVain: false };
}

function stepStreaming(state: ReflectorState, event: ReflectorEvent): ReflectorState {
  switch (event.type) {
    case "Streamed":
      return watchingFrom(event.resourceVersion);
    case "Progress":
      return state;
    case "Refused":
      // A server that is overloaded must not be asked for something more expensive.
      return isReason(event.error, "TooManyRequests") ? state : firstPage;
    case "Page":
    case "Closed":
    case "Silent":
    case "Broken":
    case "Malformed":
      return firstPage;
    default:
      return event satisfies never;
  }
}

function stepPaging(state: ReflectorState & { readonly type: "Paging" }, event: ReflectorEvent, first: ReflectorState): ReflectorState {
  switch (event.type) {
    case "Page":
      return event.continue === undefined ? watchingFrom(event.resourceVersion) : { type: "Paging", continue: event.continue };
    case "Refused":
      if (isReason(event.error, "TooManyRequests")) return state;
      return state.continue === undefined || isHistoryLost(event.error) ? first : state;
    case "Broken":
    case "Silent":
      // A page in the middle can be asked for again for as long as the server remembers where it was.
      return state.continue === undefined ? first : state;
    case "Streamed":
    case "Progress":
    case "Closed":
    case "Malformed":
      return first;
    default:
      return event satisfies never;
  }
}

function stepWatching(state: ReflectorState & { readonly type: "Watching" }, event: ReflectorEvent, first: ReflectorState): ReflectorState {
  switch (event.type) {
    case "Progress":
      // History that goes backwards is another history: the server was restored from a backup, or is another one.
      return isOlder(event.resourceVersion, state.resourceVersion) ? first : watchingFrom(event.resourceVersion);
    case "Silent":
      return event.isAccepted ? afterVain(state, first) : state;
    case "Closed":
      return event.atOnce ? afterVain(state, first) : state;
    case "Broken":
      return state;
    case "Refused":
      return isHistoryLost(event.error) ? first : state;
    case "Streamed":
    case "Page":
    case "Malformed":
      return first;
    default:
      return event satisfies never;
  }
}

/**
 * Once is a half-open connection, or a server that goes down. Twice in a row may be a server whose history ends before our version, and which sends nothing
 * until it gets there; or begins after it, and something in between that keeps the refusal to itself.
 */
function afterVain(state: ReflectorState & { readonly type: "Watching" }, first: ReflectorState): ReflectorState {
  return state.inVain ? first : { ...state, inVain: true };
}

/** Whether a watch from the same version, or the same page, could not succeed later either, or not without a gap. */
export function isHistoryLost(error: ApiError): boolean {
  const tooLarge = error.details?.causes?.some(({ reason }) => reason === "ResourceVersionTooLarge") === true;
  return tooLarge || isReason(error, "Gone", "Expired", "NotFound", "Invalid", "BadRequest");
}
