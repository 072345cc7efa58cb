import { ApiError, isReason, onAbort, sleepUnlessAborted, statusOf } from "@kaji/core";
import type { Clock, KubeObject, ListerWatcher, Random, WatchParameters } from "@kaji/core";
import { exponentialBackoff } from "./backoff.ts";
import type { Backoff } from "./backoff.ts";
import { malformed } from "../wire/byte-scanner.ts";
import { FrameSplitter } from "../wire/frame-splitter.ts";
import type { IncomingObject } from "../wire/incoming-object.ts";
import { asBuffer, readText } from "../wire/json-text.ts";
import { scanPage } from "../wire/list-page.ts";
import { MalformedJsonError } from "../wire/malformed-json-error.ts";
import { firstPage, isHistoryLost, step, streaming } from "./reflector-state.ts";
import type { ReflectorEvent, ReflectorState } from "./reflector-state.ts";
import { SilenceTimer } from "./silence-timer.ts";
import { scanFrame } from "../wire/watch-frame.ts";

/** The receiver of what a server has. The object in question is the one that `incoming` shows, during the call only. */
export interface ReflectorTarget {
  readonly incoming: IncomingObject;
  /** All objects will be shown anew. */
  listStarted(): void;
  listed(): void;
  /** All objects there are at this version have been shown. */
  listEnded(resourceVersion: string): void;
  changed(type: "ADDED" | "MODIFIED" | "DELETED", resourceVersion: string): void;
  /** Everything up to this version has been told. */
  progressed(resourceVersion: string): void;
}

/** How a Reflector is doing. */
export type ReflectorHealth =
  /** The server answers. */
  | { readonly type: "Connected" }
  /** The last request failed, and the next one is not due yet. */
  | { readonly type: "Failing"; readonly error: unknown; readonly retryInMs: number };

/** What a Reflector works with. */
export interface ReflectorOptions {
  readonly listerWatcher: ListerWatcher;
  readonly target: ReflectorTarget;
  readonly clock: Clock;
  readonly random: Random;
  readonly onHealth?: (health: ReflectorHealth) => void;
  /** Whether the server is in this process: then no watch breaks unnoticed, so that it goes on for good, without bookmarks as signs of life. Default false. */
  readonly isInProcess?: boolean | undefined;
}

/** Same page size as client-go's pager: larger pages make the server hold more in memory at once. */
const pageSize = 500;
/** A stream of initial events may take so long to begin, since a busy server queues requests … */
const streamBeginMs = 30_000;
/** … and, once begun, so long to go on: the bookmark at its end may have been lost on the way. */
const streamGapMs = 10_000;
const pageMs = 60_000;
/** A watch is accepted at once, or after a time in the queue of a busy server; without an answer by then the request counts as lost. The limit doubles each further time … */
const acceptMs = 60_000;
/** … up to this: a server that does not answer is asked less and less. */
const longestAcceptMs = 240_000;
/** API servers send a bookmark about every minute: after this time two are missing. */
const bookmarkGapMs = 150_000;
/** A watch is asked to end after 5 to 10 minutes, as in client-go; so much later, the connection counts as half-open. */
const graceMs = 30_000;
/** How long a watch within a process goes on, which is years. */
const inProcessSeconds = 1_000_000_000;
/** A watch that the server ends so soon after it accepted it, with nothing told, was closed at once. */
const atOnceMs = 1000;
/** A server may ask for a pause of years; nobody would know that it is there again. */
const longestRetryAfterMs = 300_000;
/** A request that lasted so long resets the backoff, however it ended. */
const healthyMs = 10_000;

/**
 * Tells a target what a server has: first everything, then every change, in order and without gaps, whatever happens to connection or server.
 *
 * It retries for ever, with backoff. The rules of recovery are in `step`.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #backoff: Backoff;
  /** Where it begins, and begins anew. */
  readonly #first: ReflectorState;
  #state: ReflectorState;
  /** How many watches in a row were not accepted. */
  #unaccepted = 0;
  /** When all objects had been told, the last time. */
  #listedMs = 0;
  /** Whether the server sends bookmarks, so that silence means something. */
  #hasBookmarks = false;
  #heardMs: number | undefined;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#first = options.isInProcess === true ? firstPage : streaming;
    this.#state = this.#first;
    this.#backoff = exponentialBackoff(options.random);
  }

  /** When the server last sent something, by the monotonic clock; undefined if it never has. */
  get heardMs(): number | undefined {
    return this.#heardMs;
  }

  /** Works until it is aborted. Run again, it goes on where it was. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, onHealth } = this.#options;
    while (!signal.aborted) {
      const startMs = clock.monotonic();
      const event = await this.#request(signal);
      if (signal.aborted) return;
      if (clock.monotonic() - startMs >= healthyMs) this.#backoff.reset();
      const waitMs = this.#waitMs(event, clock.monotonic() - startMs);
      this.#state = step(this.#state, event, this.#first);
      if (waitMs > 0 || isUnanswered(event)) onHealth?.({ type: "Failing", error: errorOf(event), retryInMs: waitMs });
      if (waitMs > 0) await sleepUnlessAborted(clock, waitMs, signal);
    }
  }

  /** One request, up to its end; what ended it. */
  async #request(signal: AbortSignal): Promise<ReflectorEvent> {
    const request = new AbortController();
    using _abort = onAbort(signal, (reason) => request.abort(reason));
    try {
      return await (this.#state.type === "Paging" ? this.#page(this.#state.continue, request) : this.#watch(request));
    } catch (error) {
      // An aborted request may fail with any error: the reason of the abort is the cause.
      return eventOf(request.signal.aborted ? request.signal.reason : error);
    } finally {
      request.abort(requestIsOver);
    }
  }

  async #page(token: string | undefined, request: AbortController): Promise<ReflectorEvent> {
    const { listerWatcher, target, clock, onHealth } = this.#options;
    const silent: ReflectorEvent = { type: "Silent", isAccepted: false, limitMs: pageMs };
    using _timer = new SilenceTimer(clock, pageMs, () => request.abort(new Interruption(silent)));
    if (token === undefined) target.listStarted();
    const body = await listerWatcher.list({ limit: pageSize, ...(token === undefined ? {} : { continue: token }), signal: request.signal });
    const page = scanPage(asBuffer(body), target.incoming, () => target.listed());
    this.#heardMs = clock.monotonic();
    if (page.continue === undefined) this.#listEnded(page.resourceVersion);
    onHealth?.({ type: "Connected" });
    return { type: "Page", ...page };
  }

  async #watch(request: AbortController): Promise<ReflectorEvent> {
    const { listerWatcher, target, clock, random, onHealth } = this.#options;
    const allowWatchBookmarks = this.#options.isInProcess !== true;
    const timeoutSeconds = allowWatchBookmarks ? Math.floor(300 + 300 * random.next()) : inProcessSeconds;
    const isStream = this.#state.type === "Streaming";
    const limitMs = isStream ? streamBeginMs : this.#acceptMs();
    let isAccepted = false;
    const onSilence = (): void => {
      if (!isAccepted) this.#unaccepted++;
      request.abort(new Interruption({ type: "Silent", isAccepted, limitMs }));
    };
    using timer = new SilenceTimer(clock, limitMs, onSilence);
    if (isStream) target.listStarted();
    const body = await listerWatcher.watch({ ...this.#where(), allowWatchBookmarks, timeoutSeconds, signal: request.signal });
    isAccepted = true;
    this.#unaccepted = 0;
    const acceptedMs = clock.monotonic();
    this.#heardMs = acceptedMs;
    if (!isStream) timer.heard(this.#gapMs(timeoutSeconds));
    onHealth?.({ type: "Connected" });
    const splitter = new FrameSplitter();
    let isEmpty = true;
    for await (const chunk of body) {
      splitter.push(chunk, (bytes, start, end) => this.#take(bytes, start, end));
      timer.heard(this.#gapMs(timeoutSeconds));
      this.#heardMs = clock.monotonic();
      isEmpty = false;
    }
    if (splitter.hasPartial) throw new Error("the watch broke off in the middle of an event");
    return { type: "Closed", atOnce: isEmpty && clock.monotonic() - acceptedMs < atOnceMs };
  }

  #where(): Pick<WatchParameters, "resourceVersion" | "resourceVersionMatch" | "sendInitialEvents"> {
    if (this.#state.type === "Watching") return { resourceVersion: this.#state.resourceVersion };
    return { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
  }

  #acceptMs(): number {
    return Math.min(acceptMs * 2 ** this.#unaccepted, longestAcceptMs);
  }

  #gapMs(timeoutSeconds: number): number {
    if (this.#state.type === "Streaming") return streamGapMs;
    return this.#hasBookmarks ? bookmarkGapMs : timeoutSeconds * 1000 + graceMs;
  }

  #take(bytes: Buffer, start: number, end: number): void {
    const { target } = this.#options;
    const type = scanFrame(bytes, start, end, target.incoming.scanner);
    if (type === "ERROR") throw new ApiError(statusOf(JSON.parse(this.#text())));
    const { resourceVersion } = target.incoming;
    if (resourceVersion === "") malformed("an event without metadata.resourceVersion", 0);
    if (type === "BOOKMARK") return this.#bookmark(resourceVersion);
    if (this.#state.type === "Streaming" && type !== "DELETED") return target.listed();
    const next = this.#after(resourceVersion);
    target.changed(type, resourceVersion);
    this.#state = next;
  }

  #bookmark(resourceVersion: string): void {
    const { target } = this.#options;
    if (this.#state.type === "Streaming") {
      const { metadata } = JSON.parse(this.#text()) as KubeObject;
      if (metadata.annotations?.["k8s.io/initial-events-end"] !== "true") return;
      this.#state = step(this.#state, { type: "Streamed", resourceVersion }, this.#first);
      return this.#listEnded(resourceVersion);
    }
    this.#hasBookmarks = true;
    const next = this.#after(resourceVersion);
    target.progressed(resourceVersion);
    this.#state = next;
  }

  #listEnded(resourceVersion: string): void {
    this.#listedMs = this.#options.clock.monotonic();
    this.#options.target.listEnded(resourceVersion);
  }

  /** The state after an event of this version; ends the request if that is not one in which it goes on. */
  #after(resourceVersion: string): ReflectorState {
    const event: ReflectorEvent = { type: "Progress", resourceVersion };
    const next = step(this.#state, event, this.#first);
    if (next.type !== this.#state.type) throw new Interruption(event);
    return next;
  }

  #text(): string {
    const { bytes, start, end } = this.#options.target.incoming.scanner;
    return readText(bytes, start, end);
  }

  /** How long to wait before the next request. */
  #waitMs(event: ReflectorEvent, lastedMs: number): number {
    switch (event.type) {
      case "Streamed":
      case "Page":
      case "Silent":
        return 0;
      case "Closed":
        return lastedMs >= healthyMs ? 0 : this.#backoff.nextMs();
      case "Refused":
        return this.#waitAfter(event.error);
      case "Progress":
      case "Broken":
      case "Malformed":
        return this.#backoff.nextMs();
      default:
        return event satisfies never;
    }
  }

  /** How long to wait after a refusal. */
  #waitAfter(error: ApiError): number {
    if (this.#state.type === "Streaming" && isReason(error, "Invalid", "BadRequest", "NotAcceptable", "MethodNotAllowed")) return 0;
    const retryAfterMs = Math.min(1000 * (error.details?.retryAfterSeconds ?? 0), longestRetryAfterMs);
    // A server that has forgotten what it told a while ago is there: it is asked for everything at once, however long it was away. One that forgets at once would be asked again and again.
    if (this.#state.type === "Watching" && isHistoryLost(error) && this.#options.clock.monotonic() - this.#listedMs >= healthyMs) {
      this.#backoff.reset();
      return retryAfterMs;
    }
    return Math.max(this.#backoff.nextMs(), retryAfterMs);
  }
}

/** Why what is left of a request is let go; made once, since nobody reads it and each error takes a stack. */
const requestIsOver = new Error("the request is over");

/** Ends a request from within, by something that happened in it. */
class Interruption extends Error {
  readonly event: ReflectorEvent;

  constructor(event: ReflectorEvent) {
    super(event.type);
    this.event = event;
  }
}

function eventOf(error: unknown): ReflectorEvent {
  if (error instanceof Interruption) return error.event;
  if (error instanceof ApiError) return { type: "Refused", error };
  if (error instanceof MalformedJsonError) return { type: "Malformed", error };
  return { type: "Broken", error };
}

/** Whether the server has not even begun to answer. */
function isUnanswered(event: ReflectorEvent): event is ReflectorEvent & { readonly type: "Silent" } {
  return event.type === "Silent" && !event.isAccepted;
}

function errorOf(event: ReflectorEvent): unknown {
  if (isUnanswered(event)) return new Error(`no answer within ${event.limitMs / 1000} s`);
  return "error" in event ? event.error : new Error(`the server ended the watch: ${event.type}`);
}
