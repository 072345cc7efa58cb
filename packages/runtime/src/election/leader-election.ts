import { isReason, onAbort, sleepUnlessAborted } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import type { Lease } from "@kaji/types/coordination/v1";
import type { Log } from "../log/log.ts";
import { Outage } from "../log/outage.ts";
import { firstState, nextAction, step } from "./election-state.ts";
import type { Candidate, ElectionEvent, ElectionState } from "./election-state.ts";
import { jitterFactor, timingOf } from "./election-timing.ts";
import type { ElectionTiming } from "./election-timing.ts";
import { inTime } from "./in-time.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { claimed, holderOf, released } from "./lease-record.ts";
import type { LeaseStore } from "./lease-store.ts";
import { Pause, pauseBlocks } from "./pause.ts";
import { WorkLeftError } from "./work-left-error.ts";

/** What an election works with. */
export interface LeaderElectionOptions extends Partial<ElectionTiming> {
  readonly store: LeaseStore;
  /** The identity of this candidate; no other process may ever have had the same. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Is told whether we lead, each time it changes. */
  readonly onLeading?: (isLeading: boolean) => void;
  /** Is told for how long the event loop was blocked while we led. */
  readonly onBlocked?: (blockedMs: number) => void;
}

/** By so much may wall clock and monotonic clock disagree on the time since the last renewal: less than what is left of a lease at its deadline. */
const clockToleranceMs = 2000;

const leaseWords = {
  begun: "lease request failed; will retry",
  going: "lease requests still fail; will retry",
  over: "lease requests are answered again",
};

/**
 * Acquires the lease of the leader, and holds it for as long as it can be renewed.
 *
 * At any moment at most one candidate passes its own `fence`: a leader stops `renewDeadlineMs` after it sent its last renewal, other candidates begin `leaseDurationMs` after they saw
 * it. Each measures by its own monotonic clock, so clocks may differ, jump and even run at different speeds, as long as those do not differ by half.
 */
export class LeaderElection {
  /** Resolves when we lead for the first time. */
  readonly elected: Promise<void>;
  /** Aborted, with a `LeaseLostError`, when the lease is lost. There is no second term: a process that lost the lease must be restarted. */
  readonly lost: AbortSignal;
  readonly #options: LeaderElectionOptions;
  readonly #candidate: Candidate;
  readonly #elected = Promise.withResolvers<void>();
  readonly #lost = new AbortController();
  readonly #outage: Outage;
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
    this.#outage = new Outage(options.clock, leaseWords);
    this.elected = this.#elected.promise;
    this.lost = this.#lost.signal;
  }

  get isLeading(): boolean {
    return this.#state.type === "Leading";
  }

  /** Throws unless we lead at this very moment. Called right before a write, it guarantees that no other candidate leads then. */
  fence(): void {
    const { clock } = this.#options;
    const { renewDeadlineMs } = this.#candidate;
    const state = this.#state;
    if (state.type === "Lost") throw lossError(state.reason, renewDeadlineMs);
    if (state.type !== "Leading") throw new LeaseLostError("NotElected", "not the leader: writes are refused");
    if (clock.monotonic() >= state.deadlineMs) throw lossError("Expired", renewDeadlineMs);
    // The monotonic clock does not count the time of a suspended machine, the wall clock does: another replica may hold the lease by now.
    const renewedMs = state.deadlineMs - renewDeadlineMs;
    const jumpedMs = clock.now() - this.#renewedWallMs - (clock.monotonic() - renewedMs);
    if (Math.abs(jumpedMs) < clockToleranceMs) return;
    this.#state = { ...state, nextRenewalMs: clock.monotonic() };
    this.#wake();
    throw new LeaseLostError("Unsure", "the clock jumped, so the lease may be lost; it is being renewed");
  }

  /**
   * Tries to acquire the lease until elected, renews it until aborted, and then releases it, unless the abort reason is a `WorkLeftError`. Rejects with a `LeaseLostError` when the lease is lost,
   * and with an `ApiError` when the server does not let us be a candidate.
   */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    using _wake = onAbort(signal, () => this.#wake());
    const watching = this.#watch(AbortSignal.any([signal, ended.signal]));
    try {
      await this.#hold(signal, () => ended.abort());
    } finally {
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
          await this.#claim(action.lease, onElected);
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

  async #claim(lease: Lease | undefined, onElected: () => void): Promise<void> {
    const { store, clock } = this.#options;
    const [sentMs, sentWallMs] = [clock.monotonic(), clock.now()];
    const spec = claimed(lease, { ...this.#candidate, nowMs: sentWallMs });
    const event = await this.#asked(async (signal) => {
      const stored = lease === undefined ? await store.create(spec, signal) : await store.update(lease, spec, signal);
      return { type: "Claimed", lease: stored, sentMs, nowMs: this.#nowMs() };
    });
    // In one step: a fence that saw only one of them would take the time since the last renewal for a jump of the clock.
    if (event.type === "Claimed") this.#renewedWallMs = sentWallMs;
    this.#apply(event, onElected);
  }

  /** A request, which gets half of the time that there is for renewals, so that there is time for another one; a leader's ends with its lease. */
  async #asked(request: (signal: AbortSignal) => Promise<ElectionEvent>): Promise<ElectionEvent> {
    const { clock, random, log } = this.#options;
    const { renewDeadlineMs, retryPeriodMs } = this.#candidate;
    const leftMs = this.#state.type === "Leading" ? this.#state.deadlineMs - this.#nowMs() : Infinity;
    const timeoutMs = Math.min(renewDeadlineMs / 2, leftMs);
    const onLate = (lateMs: number): void => this.#reportBlock(lateMs);
    try {
      const event = await inTime(clock, timeoutMs, request, onLate);
      this.#outage.answered(log);
      return event;
    } catch (error) {
      const isGone = isReason(error, "NotFound") && this.#knownLease() !== undefined;
      if (isGone || isReason(error, "Conflict", "AlreadyExists")) {
        this.#outage.answered(log);
        return { type: "Outrun", nowMs: this.#nowMs() };
      }
      // A retry cannot succeed before permissions or namespaces change. A leader still retries until its deadline.
      if (!this.isLeading && isReason(error, "Forbidden", "Unauthorized", "NotFound")) throw error;
      this.#outage.failed(log, error);
      const retryMs = this.isLeading ? retryPeriodMs : retryPeriodMs * (1 + jitterFactor * random.next());
      return { type: "Failed", nowMs: this.#nowMs(), retryMs };
    }
  }

  /** Waits, at most until the lease changes; a leader also notices when a blocked event loop made it wait too long. */
  async #wait(untilMs: number): Promise<void> {
    const { clock, random } = this.#options;
    const { retryPeriodMs } = this.#candidate;
    const pause = new Pause(clock);
    this.#pause = pause;
    if (this.#state.type === "Leading") return this.#reportBlock(await pauseBlocks(clock, untilMs, pause));
    // Without a watch the lease is polled, so that a renewal is seen soon after it was made.
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
    const level = lengthMs < this.#candidate.renewDeadlineMs ? "warn" : "error";
    log[level](
      { blockedMs: Math.round(lengthMs) },
      "the event loop stood still, and the lease could not be renewed: by code that does not yield, or for want of processor time",
    );
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
        // Why the watch failed does not matter: `#wait` polls the lease until it is restored.
      }
      this.#isWatching = false;
      await sleepUnlessAborted(clock, retryPeriodMs * (1 + jitterFactor * random.next()), signal);
    }
  }

  async #stop(reason: unknown): Promise<void> {
    const lease = this.#knownLease();
    if (!this.isLeading) return;
    // The fence closes first: another replica may take the lease as soon as the server has stored the release.
    this.#apply({ type: "Released" });
    if (!(reason instanceof WorkLeftError)) return this.#release(lease);
    this.#options.log.warn({ err: reason }, "lease not released, since work is still under way; it will expire");
  }

  /** Best effort: a lease that could not be released expires. */
  async #release(held: Lease | undefined): Promise<void> {
    const { clock, log } = this.#options;
    try {
      await inTime(clock, this.#candidate.renewDeadlineMs / 2, (signal) => this.#giveBack(held, signal));
    } catch (error) {
      log.warn({ err: error }, "failed to release the lease; it will expire");
    }
  }

  async #giveBack(held: Lease | undefined, signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#options;
    const { identity } = this.#candidate;
    let lease = held;
    for (let attempt = 0; lease !== undefined && holderOf(lease) === identity && attempt < 3; attempt++) {
      try {
        await store.update(lease, released(lease, clock.now()), signal);
        return log.info({ identity }, "released the lease");
      } catch (error) {
        if (!isReason(error, "Conflict")) throw error;
        lease = await store.get(signal);
      }
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

function lossError(reason: "Expired" | "Taken" | "Released", renewDeadlineMs: number): LeaseLostError {
  switch (reason) {
    case "Expired":
      return new LeaseLostError(
        reason,
        `the lease was not renewed within ${renewDeadlineMs / 1000} s; another replica may become the leader`,
      );
    case "Taken":
      return new LeaseLostError(reason, "another replica holds the lease");
    case "Released":
      return new LeaseLostError(reason, "the lease was released");
    default:
      return reason satisfies never;
  }
}
