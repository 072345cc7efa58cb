import { isReason } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Lease, LeaseSpec } from "@kaji/types/coordination/v1";
import { inTime } from "../election/in-time.ts";
import { claimed, released } from "../election/lease-record.ts";
import type { Log } from "../log/log.ts";
import { Outage } from "../log/outage.ts";
import type { ShardBoard } from "./shard-board.ts";
import type { LeaseTitle } from "./shard-lease.ts";
import type { ShardLeaseStore } from "./shard-lease-store.ts";

/** What came of a request: another client was first when it was outrun, which the next snapshot shows. */
export type LeaseAnswer = "Done" | "Outrun" | "Failed";

/** What requests about leases are made with. */
export interface LeaseRequestsOptions {
  readonly store: ShardLeaseStore;
  /** Who claims leases. */
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Is shown what the server has stored. */
  readonly board: ShardBoard;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends all work if that is what a failed request means, and says so; otherwise it is an outage. */
  readonly failIfRefused: (error: unknown) => boolean;
}

const words = {
  begun: "shard lease request failed; will retry",
  going: "shard lease requests still fail; will retry",
  over: "shard lease requests are answered again",
};

/** The requests of a replica about the leases of shards, each answered in time or failed. Those that fail are logged as one outage. */
export class LeaseRequests {
  readonly #options: LeaseRequestsOptions;
  readonly #outage: Outage;

  constructor(options: LeaseRequestsOptions) {
    this.#options = options;
    this.#outage = new Outage(options.clock, words);
  }

  /** Makes a lease ours, which is there or not; `fence` throws if we may not hold one at the moment of the request. */
  claim(title: LeaseTitle, lease: Lease | undefined, fence: () => void): Promise<LeaseAnswer> {
    const { identity, leaseDurationMs, clock } = this.#options;
    return this.#write(title, lease, claimed(lease, { identity, leaseDurationMs, nowMs: clock.now() }), fence);
  }

  /** Lets others have a lease. */
  release(title: LeaseTitle, lease: Lease): Promise<LeaseAnswer> {
    return this.#write(title, lease, released(lease, this.#options.clock.now()));
  }

  delete(lease: Lease): Promise<LeaseAnswer> {
    return this.#ask((signal) => this.#options.store.delete(lease, signal));
  }

  #write(title: LeaseTitle, lease: Lease | undefined, spec: LeaseSpec, fence: () => void = () => {}): Promise<LeaseAnswer> {
    const { store, board, clock } = this.#options;
    return this.#ask(async (signal) => {
      fence();
      const stored = lease === undefined ? await store.create(title, spec, signal) : await store.update(lease, title, spec, signal);
      board.wrote(stored, clock.monotonic());
    });
  }

  async #ask(request: (signal: AbortSignal) => Promise<void>): Promise<LeaseAnswer> {
    const { clock, log, leaseDurationMs, failIfRefused } = this.#options;
    try {
      await inTime(clock, leaseDurationMs / 3, request);
      this.#outage.answered(log);
      return "Done";
    } catch (error) {
      if (isReason(error, "Conflict", "AlreadyExists", "NotFound")) {
        this.#outage.answered(log);
        return "Outrun";
      }
      if (!failIfRefused(error)) this.#outage.failed(log, error);
      return "Failed";
    }
  }
}
