import type { KubeClient } from "@kaji/client";
import { ApiError, backoffMs, formatMicroTime, isReason, sleepUnlessAborted } from "@kaji/core";
import type { Clock, KubeObject, Random, StatusReason } from "@kaji/core";
import { Event as CoreEvent } from "@kaji/types/core/v1";
import { Event } from "@kaji/types/events/v1";
import { coreEventOf, coreRepetition } from "./core-event.ts";
import type { EventRecorder, RecordedEvent } from "./event-recorder.ts";
import type { Log } from "../log/log.ts";
import { newSeries, noteOf } from "./event-series.ts";
import type { EventSeries, Reporter } from "./event-series.ts";
import { SimilarEvents } from "./similar-events.ts";
import { WakeUp } from "../waiting/wake-up.ts";

/** What an event sink works with. */
export interface EventSinkOptions {
  readonly client: Pick<KubeClient, "create" | "mergePatch">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly reporter: Reporter;
  /** Of which API the Events are: the one for events, or the older one, in which those of Kubernetes itself are but for the scheduler's. Default `events.k8s.io/v1`. */
  readonly apiVersion?: "events.k8s.io/v1" | "v1";
  /** Is told of each event that is dropped, since there are too many or the server refuses it. */
  readonly onDropped?: () => void;
}

/** A series ends when the event has not happened again for so long, as in client-go. */
const seriesEndMs = 360_000;
/** The first repetition is written at once, and then no more often than this. */
const repeatMs = 60_000;
const longestQueue = 1000;
const mostSeries = 4096;
/** Writes per second, after a burst of as many as the second number. */
const [ratePerSecond, burst] = [20, 100];
const attempts = 4;
const retryBackoff = { baseMs: 1000, maxMs: 8000 };
/** How long the last events may take when the program stops. */
const flushMs = 5000;

/** Writes events to the server in the background: recording one never waits. A repeated event becomes a series, one Event with a count. */
export class EventSink implements EventRecorder {
  readonly #options: EventSinkOptions;
  /** By their key, the ones that happened last at the end. */
  readonly #series = new Map<string, EventSeries>();
  readonly #similar = new SimilarEvents();
  /** Series of which the server does not know everything. */
  readonly #queue = new Set<EventSeries>();
  readonly #recorded = new WakeUp();
  #namedMs = 0;
  /** How many names were given in that millisecond, before the last one. */
  #inSameMs = 0;
  #tokens = burst;
  #refilledMs: number;

  constructor(options: EventSinkOptions) {
    this.#options = options;
    this.#refilledMs = options.clock.monotonic();
  }

  event(about: KubeObject, recorded: RecordedEvent): void {
    const { clock, reporter } = this.#options;
    const nowMs = clock.now();
    const { key, event, isCombined } = this.#similar.tell(about, recorded, nowMs);
    const known = this.#series.get(key);
    this.#series.delete(key);
    if (known !== undefined && nowMs - known.lastMs < seriesEndMs) {
      known.count++;
      known.lastMs = nowMs;
      if (isCombined) known.lastNote = noteOf(event);
      this.#series.set(key, known);
      this.#enqueue(known);
    } else {
      const series = newSeries(about, event, { reporter, suffix: this.#suffix(nowMs), nowMs, notBeforeMs: clock.monotonic() });
      if (this.#enqueue(series)) this.#remember(key, series);
    }
    this.#recorded.wake();
  }

  /** Writes until it is aborted, then what is left, for as long as that may take. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) await this.#writeOrWait(signal);
    const flushed = new AbortController();
    using _timer = clock.timer(flushMs, () => flushed.abort());
    for (const series of this.#queue) {
      if (flushed.signal.aborted) this.#drop(series);
      else await this.#write(series, flushed.signal);
    }
  }

  /** How many series wait to be written. */
  get pending(): number {
    return this.#queue.size;
  }

  async #writeOrWait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    // While the server is spared, no event changes what comes next.
    const sparedMs = this.#waitForTokenMs();
    if (sparedMs > 0) return sleepUnlessAborted(clock, Math.max(1, sparedMs), signal);
    const next = this.#nextDue();
    const waitMs = next === undefined ? Infinity : next.notBeforeMs - clock.monotonic();
    if (next !== undefined && waitMs <= 0) {
      this.#tokens--;
      return this.#write(next, signal);
    }
    // An empty queue is waited for as long as it takes.
    await this.#recorded.wait(Math.max(1, Math.min(waitMs, seriesEndMs)), clock, signal);
  }

  #nextDue(): EventSeries | undefined {
    let first: EventSeries | undefined;
    for (const series of this.#queue) if (first === undefined || series.notBeforeMs < first.notBeforeMs) first = series;
    return first;
  }

  async #write(series: EventSeries, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#options;
    this.#queue.delete(series);
    for (let attempt = 0; ; attempt++) {
      const { count } = series;
      try {
        await this.#send(series, signal);
        series.writtenCount = count;
        series.notBeforeMs = clock.monotonic() + (count === 1 ? 0 : repeatMs);
        if (series.count > count) this.#enqueue(series);
        return;
      } catch (error) {
        // Left to the end of the program, or of the time that it has for that.
        if (signal.aborted) return void this.#queue.add(series);
        if (attempt + 1 >= attempts || !isPassing(error)) {
          log.debug({ err: error, reason: series.draft.reason }, "failed to write event");
          return this.#drop(series);
        }
      }
      await sleepUnlessAborted(clock, backoffMs(attempt, retryBackoff, random), signal);
    }
  }

  async #send(series: EventSeries, signal: AbortSignal): Promise<void> {
    const { create, patch } = this.#options.apiVersion === "v1" ? this.#coreRequests(series, signal) : this.#requests(series, signal);
    // An Event that is there already was written by a request whose answer was lost. The server deletes Events after an hour; that of a series that goes on is created again.
    await (series.writtenCount === 0 ? orElse(create, "AlreadyExists", patch) : orElse(patch, "NotFound", create));
  }

  #requests(series: EventSeries, signal: AbortSignal): EventRequests {
    const { client } = this.#options;
    const { count, lastMs, namespace, name, draft, lastNote } = series;
    const note = lastNote === undefined ? {} : { note: lastNote };
    const repeats = count < 2 ? {} : { series: { count, lastObservedTime: formatMicroTime(lastMs) }, ...note };
    return {
      create: () => client.create(Event, { ...draft, ...repeats }, { signal }),
      patch: () => client.mergePatch<Event>(Event, { namespace, name }, repeats, { signal }),
    };
  }

  #coreRequests(series: EventSeries, signal: AbortSignal): EventRequests {
    const { client } = this.#options;
    const { namespace, name } = series;
    return {
      create: () => client.create(CoreEvent, coreEventOf(series), { signal }),
      patch: () => client.mergePatch<CoreEvent>(CoreEvent, { namespace, name }, coreRepetition(series), { signal }),
    };
  }

  #enqueue(series: EventSeries): boolean {
    if (this.#queue.size >= longestQueue && !this.#queue.has(series)) {
      this.#options.onDropped?.();
      return false;
    }
    this.#queue.add(series);
    return true;
  }

  #drop(series: EventSeries): void {
    this.#queue.delete(series);
    this.#options.onDropped?.();
  }

  #remember(key: string, series: EventSeries): void {
    this.#series.set(key, series);
    for (const [oldest, { lastMs }] of this.#series) {
      if (this.#series.size <= mostSeries && series.lastMs - lastMs < seriesEndMs) return;
      this.#series.delete(oldest);
    }
  }

  #waitForTokenMs(): number {
    const nowMs = this.#options.clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#refilledMs) / 1000) * ratePerSecond);
    this.#refilledMs = nowMs;
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / ratePerSecond) * 1000;
  }

  /** Names of events begin with that of their object, as kubectl's users know them, and go on in the order in which they happened, in which kubectl lists those of one moment. */
  #suffix(nowMs: number): string {
    const atMs = Math.floor(nowMs);
    this.#inSameMs = atMs === this.#namedMs ? this.#inSameMs + 1 : 0;
    this.#namedMs = atMs;
    const digits = Math.floor(this.#options.random.next() * 2 ** 16);
    return [atMs.toString(16), this.#inSameMs.toString(16).padStart(3, "0"), digits.toString(16).padStart(4, "0")].join("");
  }
}

/** How a series is written: for the first time, and again. */
interface EventRequests {
  readonly create: () => Promise<unknown>;
  readonly patch: () => Promise<unknown>;
}

/** Makes a request, and another one if the first is refused for that reason. */
async function orElse(request: () => Promise<unknown>, reason: StatusReason, other: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!isReason(error, reason)) throw error;
    await other();
  }
}

/** Whether the same request may succeed later: the server did not answer, or was too busy. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code >= 500 || error.code === 429;
}
