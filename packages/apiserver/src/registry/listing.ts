import type { ListMeta } from "@kaji/core";
import type { ServedObject } from "./served-object.ts";

/** Objects of a kind as of one revision. */
export interface Listing {
  readonly items: readonly ServedObject[];
  readonly metadata: ListMeta;
}
