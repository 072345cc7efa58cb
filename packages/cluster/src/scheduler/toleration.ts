import type { Taint, Toleration } from "@kaji/types/core/v1";

/** The first taint that none of the tolerations covers. */
export function untoleratedTaint(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint | undefined {
  for (const taint of taints) if (!isTolerated(taint, tolerations)) return taint;
  return undefined;
}

/** Whether one of the tolerations covers a taint. */
export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}

/** Whether a taint keeps pods away that do not tolerate it, rather than only making the node less welcome. */
export function keepsAway({ effect }: Taint): boolean {
  return effect === "NoSchedule" || effect === "NoExecute";
}

/** A toleration without a key covers all keys, one without an effect all effects. */
function tolerates({ key = "", operator = "Equal", value = "", effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  return operator === "Exists" || (operator === "Equal" && value === (taint.value ?? ""));
}
