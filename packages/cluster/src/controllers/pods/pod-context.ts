import type { Resource } from "@kaji/core";
import type { ContextOf } from "@kaji/runtime";
import type { Pod } from "@kaji/types/core/v1";

type OwnContext = ContextOf<Pod, readonly [Resource<Pod>]>;

/** What a controller that owns pods works with, whatever else it declares. */
export interface PodContext extends Pick<OwnContext, "clock" | "event"> {
  readonly cache: Pick<OwnContext["cache"], "by" | "list">;
  readonly client: Pick<OwnContext["client"], "create" | "mergePatch" | "delete">;
}
