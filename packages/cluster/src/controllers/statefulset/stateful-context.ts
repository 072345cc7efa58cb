import type { ContextOf, Owned, Watched } from "@kaji/runtime";
import type { ControllerRevision, StatefulSet } from "@kaji/types/apps/v1";
import type { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";

/** What the reconcile of a StatefulSet works with. */
export type StatefulContext = ContextOf<
  StatefulSet,
  readonly [Owned<Pod, never>, Owned<ControllerRevision, never>],
  readonly [Watched<PersistentVolumeClaim, "create" | "patch">]
>;
