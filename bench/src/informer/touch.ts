import { systemClock } from "@kaji/core";
import type { Load } from "../load.ts";
import { widgets } from "./widget.ts";

/** Changes an object so that whoever sees the change knows when it was made. */
export function touch(load: Load, index: number): Promise<unknown> {
  const annotations = { "bench.kaji.dev/sent-at": String(systemClock.now()) };
  return load.send("PATCH", `${widgets}/widget-${index}`, JSON.stringify({ metadata: { annotations } }));
}
