import { durationMs, objectKey } from "@kaji/core";
import type { DurationLike, KubeObject } from "@kaji/core";
import { lowPriority } from "../declare/priority.ts";
import type { Source } from "../declare/source.ts";

/** Into so many parts an interval is divided at most, and the objects with it. */
const mostParts = 60;

/** Asks for every object once in each interval, spread over the interval, so that they do not come all at once, and after what has changed. */
export function every(interval: DurationLike): Source<KubeObject> {
  const intervalMs = durationMs(interval);
  if (!(intervalMs > 0)) throw new TypeError(`every(): the interval must be positive, not ${String(interval)}`);
  return {
    name: `every ${String(interval)}`,
    async run({ signal, clock, objects, enqueue }) {
      for (;;) {
        const keys = Array.from(objects(), ({ metadata }) => objectKey(metadata));
        const parts = Math.min(mostParts, Math.max(1, keys.length));
        for (let part = 0; part < parts; part++) {
          await clock.sleep(intervalMs / parts, signal);
          for (const key of keys.filter((_, index) => index % parts === part)) enqueue(key, { priority: lowPriority });
        }
      }
    },
  };
}
