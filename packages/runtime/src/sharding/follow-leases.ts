import { sleepUnlessAborted } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import type { LeaseSnapshot, ShardLeaseStore } from "./shard-lease-store.ts";

/** How leases are followed. */
export interface LeaseFollowing {
  readonly clock: Clock;
  readonly random: Random;
  /** After so long without news the watch counts as broken, even if nobody says so: our own lease changes far more often. */
  readonly silenceMs: number;
  /** How long to wait before all is listed again. */
  readonly retryMs: number;
  readonly onSnapshot: (snapshot: LeaseSnapshot) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Tells how the leases of all replicas are, each time one changes, until it is aborted. */
export async function followLeases(store: ShardLeaseStore, following: LeaseFollowing, signal: AbortSignal): Promise<void> {
  const { clock, random, silenceMs, retryMs, onSnapshot, onFailure } = following;
  while (!signal.aborted) {
    const silence = new AbortController();
    const arm = (): Disposable => clock.timer(silenceMs, () => silence.abort(new Error(`no news for ${silenceMs / 1000} s`)));
    let timer = arm();
    try {
      for await (const snapshot of store.watch(AbortSignal.any([signal, silence.signal]))) {
        timer[Symbol.dispose]();
        timer = arm();
        onSnapshot(snapshot);
      }
    } catch (error) {
      if (!signal.aborted) onFailure(error);
    }
    timer[Symbol.dispose]();
    await sleepUnlessAborted(clock, retryMs * (1 + random.next()), signal);
  }
}
