import { isReason } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import type { Lease } from "@kaji/types/coordination/v1";
import type { Log } from "../log/log.ts";
import { firstState, nextAction, step } from "./election-state.ts";
import type { Candidate, ElectionEvent, ElectionState, ElectionTiming } from "./election-state.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { claimed, holderOf, released } from "./lease-record.ts";
import type { LeaseStore } from "./lease-store.ts";
import { Pause, blockedMs, pauseBlocks } from "./pause.ts";
import { WorkLeftError } from "./work-left-error.ts";

/** What an election works with. */
export interface LeaderElectionOptions extends Partial<ElectionTiming> {
  readonly store: LeaseStore;
  /** Who we are; no other process may ever have had the same name. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Is told whether we lead, each time it changes. */
  readonly onLeading?: (isLeading: boolean) => void;
  /** Is told for how long the event loop stood still while we led. */
  readonly onBlocked?: (blockedMs: number) => void;
}

/** As in client-go: https://pkg.go.dev/k8s.io/client-go/tools/leaderelection#LeaderElectionConfig */
const defaultTiming: ElectionTiming = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };
/** Those who failed together shall not come back together: up to so many retry periods later. */
const jitterFactor = 1.2;
/** By so much may wall clock and monotonic clock disagree on the time since the last renewal: less than what is left of a lease at its deadline. */
const clockToleranceMs = 2000;

/**
 * Runs for the office of leader, and holds it for as long as the lease can be renewed.
 *
 * At any moment at most one candidate passes its own `fence`: a leader stops `renewDeadlineMs` after it asked for its last renewal, others begin `leaseDurationMs` after they saw
 * it. Each measures by its own monotonic clock, so clocks may differ, jump and even run at different speeds, as long as those do not differ by half.
 */
export class LeaderElection {
  /** Resolves when we lead for the first time. */
  readonly elected: Promise<void>;
  /** Aborted, with a `LeaseLostError`, when the lease is lost. There is no second term: whoever lost the lease starts anew. */
  readonly lost: AbortSignal;
  readonly #options: LeaderElectionOptions;
  readonly #candidate: Candidate;
  readonly #elected = Promise.withResolvers<void>();
  readonly #lost = new AbortController();
  #state: ElectionState = firstState;
  /** What the wall clock said when the last renewal was asked for. */
  #renewedWallMs = 0;
  /** Whether the server tells us when the lease changes. */
  #isWatching = false;
  /** The present wait, or the last. */
  #pause: Pause | undefined;

  constructor(options: LeaderElectionOptions) {
    const { identity } = options;
    this.#options = options;
    this.#candidate = { ...timingOf(options), identity };
    this.elected = this.#elected.promise;
    this.lost = this.#lost.signal;
  }

  get isLeading(): boolean {
    return this.#state.type === "Leading";
  }

  /** Who holds the lease, as far as we know; undefined when nobody does. */
  get holder(): string | undefined {
    const lease = this.#knownLease();
    return lease === undefined ? undefined : holderOf(lease) || undefined;
  }

  /** Throws unless we lead at this very moment: whoever asks right before a write knows that nobody else leads. */
  fence(): void {
    const { clock } = this.#options;
    const { renewDeadlineMs } = this.#candidate;
    const state = this.#state;
    if (state.type === "Lost") throw lossError(state.reason, renewDeadlineMs);
    if (state.type !== "Leading") throw new LeaseLostError("NotElected", "this program is not the leader, so it must not write");
    if (clock.monotonic() >= state.deadlineMs) throw lossError("Expired", renewDeadlineMs);
    // A machine that was suspended does not count that time, but its wall clock is put right: then the lease may be somebody else's.
    const renewedMs = state.deadlineMs - renewDeadlineMs;
    const jumpedMs = clock.now() - this.#renewedWallMs - (clock.monotonic() - renewedMs);
    if (Math.abs(jumpedMs) < clockToleranceMs) return;
    this.#state = { ...state, nextRenewalMs: clock.monotonic() };
    this.#wake();
    throw new LeaseLostError("Unsure", "the clock jumped, so the lease may be lost; it is being renewed");
  }

  /**
   * Runs for the office until elected, then renews the lease until aborted, and gives it back; not so if the reason is a `WorkLeftError`. Rejects with a `LeaseLostError` when the lease is lost,
   * and with an `ApiError` when the server does not let us be a candidate.
   */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const wake = (): void => this.#wake();
    signal.addEventListener("abort", wake);
    const watching = this.#watch(AbortSignal.any([signal, ended.signal]));
    try {
      await this.#hold(signal, () => ended.abort());
    } finally {
      signal.removeEventListener("abort", wake);
      ended.abort();
      await watching;
    }
  }

  async #hold(signal: AbortSignal, onElected: () => void): Promise<void> {
    for (;;) {
      if (signal.aborted) return this.#stop(signal.reason);
      this.#apply({ type: "Time", nowMs: this.#options.clock.monotonic() }, onElected);
      const action = nextAction(this.#state, this.#options.clock.monotonic());
      switch (action.type) {
        case "Look":
          this.#apply(await this.#look(), onElected);
          break;
        case "Claim":
          this.#apply(await this.#claim(action.lease), onElected);
          break;
        case "Wait":
          await this.#wait(action.untilMs);
          break;
        case "Stop":
          throw this.#lost.signal.reason;
        default:
          action satisfies never;
      }
    }
  }

  #apply(event: ElectionEvent, onElected: () => void = () => {}): void {
    const { log, onLeading } = this.#options;
    const before = this.#state.type;
    this.#state = step(this.#state, event, this.#candidate);
    const after = this.#state;
    if (before === after.type) return;
    if (after.type === "Leading") {
      log.info({ identity: this.#candidate.identity }, "became the leader");
      onElected();
      this.#elected.resolve();
      onLeading?.(true);
    } else if (after.type === "Lost") {
      onLeading?.(false);
      this.#lost.abort(lossError(after.reason, this.#candidate.renewDeadlineMs));
      if (after.reason !== "Released") log.error({ reason: after.reason }, "lost the lease");
    }
  }

  async #look(): Promise<ElectionEvent> {
    return this.#asked(async (signal) => ({ type: "Seen", lease: await this.#options.store.get(signal), nowMs: this.#nowMs() }));
  }

  async #claim(lease: Lease | undefined): Promise<ElectionEvent> {
    const { store, clock } = this.#options;
    const [sentMs, sentWallMs] = [clock.monotonic(), clock.now()];
    const spec = claimed(lease, { ...this.#candidate, nowMs: sentWallMs });
    return this.#asked(async (signal) => {
      const stored = lease === undefined ? await store.create(spec, signal) : await store.update(lease, spec, signal);
      this.#renewedWallMs = sentWallMs;
      return { type: "Claimed", lease: stored, sentMs, nowMs: this.#nowMs() };
    });
  }

  /** A request, which gets half of the time that there is for renewals, so that there is time for another one; a leader's ends with its lease. */
  async #asked(request: (signal: AbortSignal) => Promise<ElectionEvent>): Promise<ElectionEvent> {
    const { clock, random, log } = this.#options;
    const { renewDeadlineMs, retryPeriodMs } = this.#candidate;
    const timeout = new AbortController();
    const leftMs = this.#state.type === "Leading" ? this.#state.deadlineMs - this.#nowMs() : Infinity;
    const timeoutMs = Math.min(renewDeadlineMs / 2, leftMs);
    const dueMs = this.#nowMs() + timeoutMs;
    using _timer = clock.timer(timeoutMs, () => {
      this.#reportBlock(blockedMs(clock, dueMs));
      timeout.abort(new Error(`no answer within ${Math.round(timeoutMs)} ms`));
    });
    try {
      return await abortable(request(timeout.signal), timeout.signal);
    } catch (error) {
      const isGone = isReason(error, "NotFound") && this.#knownLease() !== undefined;
      if (isGone || isReason(error, "Conflict", "AlreadyExists")) return { type: "Outrun", nowMs: this.#nowMs() };
      // Only a change of permissions or namespaces would help. A leader waits for it as long as it may.
      if (!this.isLeading && isReason(error, "Forbidden", "Unauthorized", "NotFound")) throw error;
      log.warn({ err: error }, "the lease could not be read or written; will retry");
      const retryMs = this.isLeading ? retryPeriodMs : retryPeriodMs * (1 + jitterFactor * random.next());
      return { type: "Failed", nowMs: this.#nowMs(), retryMs };
    }
  }

  /** Waits, but no longer than until the lease changes; a leader also notices whether it was let wait too long. */
  async #wait(untilMs: number): Promise<void> {
    const { clock, random } = this.#options;
    const { retryPeriodMs } = this.#candidate;
    const pause = new Pause(clock);
    this.#pause = pause;
    if (this.#state.type === "Leading") return this.#reportBlock(await pauseBlocks(clock, untilMs, pause));
    // Without a watch the lease is looked at now and then, so that a renewal is not seen long after it was made.
    const pollMs = this.#isWatching ? Infinity : retryPeriodMs * (1 + jitterFactor * random.next());
    const isPolled = this.#nowMs() + pollMs < untilMs;
    await pause.wait(Math.min(pollMs, untilMs - this.#nowMs()));
    if (isPolled && !pause.isOver && this.#state.type === "Following") this.#apply({ type: "Outrun", nowMs: this.#nowMs() });
  }

  #wake(): void {
    this.#pause?.end();
  }

  #reportBlock(lengthMs: number): void {
    if (lengthMs === 0 || !this.isLeading) return;
    const { log, onBlocked } = this.#options;
    log.error({ blockedMs: Math.round(lengthMs) }, "synchronous code blocked the event loop, so that the lease could not be renewed");
    onBlocked?.(lengthMs);
  }

  /** Follows the lease until elected. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { store, clock, random } = this.#options;
    const { retryPeriodMs } = this.#candidate;
    while (!signal.aborted) {
      try {
        for await (const lease of store.watch(signal)) {
          if (signal.aborted || this.isLeading) break;
          this.#isWatching = true;
          this.#apply({ type: "Seen", lease, nowMs: this.#nowMs() });
          this.#wake();
        }
      } catch {
        // Whatever keeps us from watching, we look at the lease by ourselves meanwhile.
      }
      this.#isWatching = false;
      await clock.sleep(retryPeriodMs * (1 + jitterFactor * random.next()), signal).catch(() => {});
    }
  }

  async #stop(reason: unknown): Promise<void> {
    const lease = this.#knownLease();
    if (!this.isLeading) return;
    // The fence closes first: the lease may be somebody else's as soon as the server has read the request.
    this.#apply({ type: "Released" });
    if (!(reason instanceof WorkLeftError)) return this.#release(lease);
    this.#options.log.warn({ err: reason }, "the lease is left to expire, since work is still under way");
  }

  /** Nobody depends on it: a lease that could not be given back expires. */
  async #release(held: Lease | undefined): Promise<void> {
    const { store, clock, log } = this.#options;
    const timeout = new AbortController();
    using _timer = clock.timer(this.#candidate.renewDeadlineMs / 2, () => timeout.abort());
    try {
      let lease = held;
      for (let attempt = 0; lease !== undefined && holderOf(lease) === this.#candidate.identity && attempt < 3; attempt++) {
        try {
          await abortable(store.update(lease, released(lease, clock.now()), timeout.signal), timeout.signal);
          return log.info({ identity: this.#candidate.identity }, "released the lease");
        } catch (error) {
          if (!isReason(error, "Conflict")) throw error;
          lease = await abortable(store.get(timeout.signal), timeout.signal);
        }
      }
    } catch (error) {
      log.warn({ err: error }, "the lease could not be released; it will expire");
    }
  }

  #knownLease(): Lease | undefined {
    const state = this.#state;
    if (state.type === "Leading") return state.lease;
    return state.type === "Lost" ? undefined : state.seen?.lease;
  }

  #nowMs(): number {
    return this.#options.clock.monotonic();
  }
}

function timingOf(options: Partial<ElectionTiming>): ElectionTiming {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = { ...defaultTiming, ...options };
  if (!(leaseDurationMs > renewDeadlineMs))
    throw new RangeError(`leaseDurationMs (${leaseDurationMs}) must be greater than renewDeadlineMs (${renewDeadlineMs})`);
  if (!(renewDeadlineMs > retryPeriodMs * jitterFactor && retryPeriodMs > 0)) {
    throw new RangeError(
      `renewDeadlineMs (${renewDeadlineMs}) must be greater than ${jitterFactor} times retryPeriodMs (${retryPeriodMs}), which must be greater than 0`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

function lossError(reason: "Expired" | "Taken" | "Released", renewDeadlineMs: number): LeaseLostError {
  switch (reason) {
    case "Expired":
      return new LeaseLostError(reason, `the lease was not renewed within ${renewDeadlineMs / 1000} s, so that somebody else may lead`);
    case "Taken":
      return new LeaseLostError(reason, "somebody else holds the lease");
    case "Released":
      return new LeaseLostError(reason, "the lease was given back");
    default:
      return reason satisfies never;
  }
}

/** A request may take no notice of its signal; we do not wait for it all the same. */
async function abortable<T>(request: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([request, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
