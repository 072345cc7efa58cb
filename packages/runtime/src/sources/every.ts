import { durationMs } from "@kaji/core";
import type { DurationLike, KubeObject, ObjectKey } from "@kaji/core";
import { lowPriority } from "../declare/priority.ts";
import type { Source } from "../declare/source.ts";

/** Into so many parts an interval is divided at most, and the objects with it. */
const mostParts = 60;

/**
 * Asks for every object once in each interval, spread over the interval, so that they do not come all at once, and after what has changed. An object that is new is asked for before the
 * interval ends in which it came.
 */
export function every(interval: DurationLike): Source<KubeObject> {
  const intervalMs = durationMs(interval);
  if (!(intervalMs > 0)) throw new TypeError(`every(): the interval must be positive, not ${String(interval)}`);
  return {
    name: `every ${String(interval)}`,
    async run({ signal, clock, keys, enqueue }) {
      for (;;) {
        const asked = new Set<ObjectKey>();
        const parts = Math.min(mostParts, Math.max(1, [...keys()].length));
        for (let left = parts; left > 0; left--) {
          await clock.sleep(intervalMs / parts, signal);
          const waiting = Array.from(keys()).filter((key) => !asked.has(key));
          for (const key of waiting.slice(0, Math.ceil(waiting.length / left))) {
            asked.add(key);
            enqueue(key, { priority: lowPriority });
          }
        }
      }
    },
  };
}
