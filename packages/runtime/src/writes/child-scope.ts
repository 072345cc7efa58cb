import type { KubeObject } from "@kaji/core";
import type { DeclaredAccess } from "../declare/access.ts";
import type { LiveReads, Writes } from "../declare/reconcile-context.ts";
import type { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import type { ReconcileNotes } from "../reconcile/reconcile-notes.ts";
import type { ChildKinds } from "./child-kinds.ts";
import type { ObservedWrites } from "./observed-writes.ts";
import type { PatchedStatus } from "./set-status.ts";

/** What the children of one reconcile are made with. */
export interface ChildScope {
  readonly attempt: ReconcileAttempt;
  readonly owner: KubeObject;
  readonly writes: ObservedWrites;
  readonly client: Writes<DeclaredAccess>;
  readonly live: LiveReads<KubeObject>;
  /** The children that this reconcile wants, since it has applied them or asked about them, by kind and key. */
  readonly wanted: Set<string>;
  /** What this reconcile has written to statuses, by the uid of whose they are. */
  readonly statuses: Map<string, readonly PatchedStatus[]>;
  /** Where kinds are recorded that are known only at run time, or have objects elsewhere; undefined where there can be none. */
  readonly kinds: ChildKinds | undefined;
  readonly notes: ReconcileNotes | undefined;
}
