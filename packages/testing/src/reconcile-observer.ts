import type { ControllerObserver } from "@kaji/runtime";

/** Hears how reconciles end. */
export type ReconcileListener = Pick<ControllerObserver, "reconciled">;

/** Tells several how reconciles end. */
export function reconcileObserver(...listeners: readonly ReconcileListener[]): ControllerObserver {
  return {
    reconciled: (...end) => listeners.forEach((listener) => listener.reconciled(...end)),
    keyAdded() {},
    keyTaken() {},
    keyDone() {},
    keyRetried() {},
    panicked() {},
  };
}
