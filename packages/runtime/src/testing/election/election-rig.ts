import { ManualClock, seededRandom } from "@kaji/core/testing";
import type { Random } from "@kaji/core";
import { RecordingLog } from "../../log/testing/recording-log.ts";
import { LeaderElection } from "../../election/leader-election.ts";
import { WorkLeftError } from "../../election/work-left-error.ts";
import { LeaseServer } from "./lease-server.ts";
import { MachineClock } from "./machine-clock.ts";
import type { Network } from "./network.ts";

/** A candidate on a machine and a network of its own. */
export interface RiggedCandidate {
  readonly name: string;
  readonly election: LeaderElection;
  readonly clock: MachineClock;
  readonly network: Network;
  readonly log: RecordingLog;
  readonly blocks: number[];
  /** How it ended, if it has. */
  end: { readonly error: unknown } | undefined;
  readonly stop: (reason?: unknown) => void;
  /** Ends it without a last word. */
  readonly kill: () => void;
}

/** Several candidates for one lease, in virtual time. */
export class ElectionRig {
  readonly time: ManualClock = new ManualClock();
  readonly server: LeaseServer = new LeaseServer();
  readonly random: Random;
  readonly candidates: RiggedCandidate[] = [];
  readonly #running: Promise<void>[] = [];

  constructor(seed = 1) {
    this.random = seededRandom(seed);
  }

  /** Starts a candidate. */
  add(options: { readonly rate?: number; readonly skewMs?: number } = {}): RiggedCandidate {
    const name = `candidate-${this.candidates.length}`;
    const clock = new MachineClock(this.time, options);
    const network = { delayMs: 20, loss: 0 };
    const log = new RecordingLog();
    const blocks: number[] = [];
    const random = seededRandom(this.random.next() * 2 ** 32);
    const store = this.server.store(network, clock, random);
    const election = new LeaderElection({ store, identity: name, clock, random, log, onBlocked: (ms) => blocks.push(ms) });
    const end = new AbortController();
    const candidate: RiggedCandidate = {
      name,
      election,
      clock,
      network,
      log,
      blocks,
      end: undefined,
      stop: (reason) => end.abort(reason),
      kill: () => end.abort(new WorkLeftError("killed")),
    };
    this.candidates.push(candidate);
    this.#running.push(
      election.run(end.signal).then(
        () => void (candidate.end = { error: undefined }),
        (error: unknown) => void (candidate.end = { error }),
      ),
    );
    return candidate;
  }

  /** The candidates whose fence is open at this moment. */
  writers(): RiggedCandidate[] {
    return this.candidates.filter(({ election, clock }) => {
      // Nothing runs on a machine that stands still; what runs when it goes on again asks the fence then.
      if (clock.isStill) return false;
      try {
        election.fence();
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Ends everything, as a power failure does. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { stop } of this.candidates) stop();
    await this.time.advance(60_000);
    await Promise.all(this.#running);
  }
}
