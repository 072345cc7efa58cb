import type { Controller } from "@kaji/runtime";
import type { ExploreOptions, Loop, Oracle, OutsideStage } from "@kaji/testing";

/** A bug that shipped in a real operator, re-created small, beside a controller without it. */
export interface Pair {
  /** The row of the catalogue, such as `A2`. */
  readonly id: string;
  readonly title: string;
  /** Where it was found. */
  readonly source: string;
  readonly buggy: (external: never) => readonly Controller[];
  readonly fixed: (external: never) => readonly Controller[];
  /** What runs beside the controllers, or instead of them, where the bug is not in a controller. */
  readonly loops?: { readonly [Variant in "buggy" | "fixed"]: readonly Loop[] };
  /** What is explored in both. */
  readonly options: Omit<ExploreOptions<never>, "controllers" | "external"> & { readonly external?: (stage: OutsideStage) => object };
  /** The oracles of which one is expected to find it. */
  readonly oracles: readonly Oracle[];
}
