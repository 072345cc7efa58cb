import type { Estimate } from "./estimate.ts";

/** How large keys and values in a list or map are. */
export interface EntrySizes {
  readonly container: "list" | "map";
  readonly keys: Estimate;
  readonly values: Estimate;
}
