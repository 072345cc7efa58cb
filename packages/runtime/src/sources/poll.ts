import { durationMs, objectKey, structuralEqual } from "@kaji/core";
import type { DurationLike, KubeObject, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { MappingReads } from "../declare/declarations.ts";
import type { Source } from "../declare/source.ts";
import { Outages } from "../log/outages.ts";
import { TimedReads } from "./timed-reads.ts";

/** How something outside the cluster is polled. */
export interface PollOptions<T extends KubeObject, State> {
  /** How long to wait between two polls for the same object. */
  readonly interval: DurationLike;
  /** Jitter: the interval is made longer by a random part of up to this fraction, so that not all polls come at once. Default 0.1. */
  readonly jitter?: number;
  /** Reads the present value for an object; `reads` are the caches of the controller, which have such as credentials. An error counts as no change, and is logged; so does what takes longer than 5 min. */
  readonly read: (object: DeepReadonly<T>, signal: AbortSignal, reads: MappingReads) => Promise<State> | State;
  /** Whether two polled values differ so that a reconcile is needed. Default: they are not equal. */
  readonly changed?: (now: State, before: State) => boolean;
  /** How many polls may be under way at once. Default 10. */
  readonly concurrency?: number;
}

const words = {
  begun: "poll failed; will retry",
  going: "poll still fails; will retry",
  over: "poll is answered again",
  isOwnCode: true,
};

/**
 * Looks at what belongs to each object, outside the cluster, and asks for the object when it has changed. The first look at an object counts as a change: what the last reconcile saw may be
 * older.
 */
export function poll<T extends KubeObject, State>(options: PollOptions<T, State>): Source<T> {
  const { jitter = 0.1, read, changed = (now, before) => !structuralEqual(now, before), concurrency = 10 } = options;
  const intervalMs = durationMs(options.interval);
  if (!(intervalMs > 0)) throw new TypeError(`poll(): the interval must be positive, not ${String(options.interval)}`);
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new TypeError(`poll(): the concurrency must be a whole number from 1 up, not ${concurrency}`);
  return {
    name: `poll every ${String(options.interval)}`,
    async run({ signal, clock, random, log, objects, reads, working, enqueue }) {
      let seen = new Map<ObjectKey, State>();
      const outages = new Outages<ObjectKey>(clock, words);
      const timed = new TimedReads(clock, signal);
      for (;;) {
        const next = new Map<ObjectKey, State>();
        const looked = new Set<ObjectKey>();
        const look = async (object: DeepReadonly<T>): Promise<void> => {
          const key = objectKey(object.metadata);
          const before = seen.get(key);
          looked.add(key);
          try {
            const now = await working(() => timed.read(key, (until) => read(object, until, reads)));
            next.set(key, now);
            outages.answered(key, log, { object: key });
            if (!seen.has(key) || changed(now, before as State)) enqueue(key);
          } catch (error) {
            if (seen.has(key)) next.set(key, before as State);
            if (!signal.aborted) outages.failed(key, log, error, { object: key });
          }
        };
        await inParallel(objects(), concurrency, look);
        // Objects that are gone are not in `next`, so that their values are dropped.
        seen = next;
        outages.keepOnly(looked);
        await clock.sleep(intervalMs * (1 + jitter * random.next()), signal);
      }
    },
  };
}

async function inParallel<T>(items: Iterable<T>, limit: number, call: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await call(next.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
