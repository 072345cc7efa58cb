import type { ObjectKey } from "@kaji/core";

/** Which objects this replica reconciles, where replicas share them. */
export interface ShardGate {
  /** Whether a reconcile of the object may begin here. */
  holds(key: ObjectKey): boolean;
  /**
   * Notes that a reconcile of the object is under way, until it is disposed of: its shard is given to another replica only after that. Whoever enters must hold the object; `abandon` is called when the reconcile is to
   * be aborted.
   */
  enter(key: ObjectKey, abandon: (reason: unknown) => void): Disposable;
  /** Throws a `LeaseLostError` unless a reconcile of the object may write at this very moment. */
  fence(key: ObjectKey): void;
  /** Calls back when objects have come to this replica: all for which the function is true are to be reconciled. */
  onGained(listener: (isGained: (key: ObjectKey) => boolean) => void): Disposable;
}
