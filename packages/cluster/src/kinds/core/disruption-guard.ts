import type { ActionContext } from "@kaji/apiserver";
import { compileSelector, conditionsOf, forbidden, formatTime, isConditionTrue, jsonOf, refusal, setCondition } from "@kaji/core";
import type { ApiError, DynamicObject, JsonObject, ResourceName } from "@kaji/core";
import { numberField, objectField, objectsField, stringField } from "../json-fields.ts";
import { selectorField } from "../selector-rules.ts";

const budgets: ResourceName = { group: "policy", plural: "poddisruptionbudgets" };

/** How many evictions may be unconfirmed at a time. */
const mostDisrupted = 2000;

/** Refuses the eviction of a pod, by throwing, when its disruption budget does not allow it; otherwise the budget is charged for it. */
export async function chargeDisruption(pod: DynamicObject, context: ActionContext, dryRun: boolean): Promise<void> {
  const { namespace, labels, name } = pod.metadata;
  const selecting = context.objects.list(budgets, namespace).filter((budget) => {
    const selector = selectorField(objectField(budget, "spec"), "selector");
    return selector !== undefined && compileSelector(selector).matches(labels);
  });
  const [budget] = selecting;
  if (budget === undefined) return;
  if (selecting.length > 1) {
    throw refusal("", "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
  }
  if (!isReady(pod) && mayUnhealthyGo(budget)) return;
  const charge = (live: DynamicObject): DynamicObject => charged(live, name, context.nowMs);
  if (dryRun) charge(budget);
  else await context.objects.revise(budgets, namespace, budget.metadata.name, charge);
}

function charged(budget: DynamicObject, pod: string, nowMs: number): DynamicObject {
  const status = objectField(budget, "status");
  const { name } = budget.metadata;
  const allowed = numberField(status, "disruptionsAllowed") ?? 0;
  const disrupted = objectField(status, "disruptedPods");
  if ((numberField(status, "observedGeneration") ?? 0) < (budget.metadata.generation ?? 0)) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const resource = { group: "policy", plural: "poddisruptionbudget" };
  if (allowed < 0) throw forbidden(resource, name, "pdb disruptions allowed is negative");
  if (Object.keys(disrupted).length > mostDisrupted) {
    throw forbidden(resource, name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (allowed === 0) throw tooMany(whyNot(budget), 0);
  const left = { ...status, disruptionsAllowed: allowed - 1, disruptedPods: { ...disrupted, [pod]: formatTime(nowMs) } };
  return { ...budget, status: allowed === 1 ? withoutAllowance(left, nowMs) : left };
}

function withoutAllowance(status: JsonObject, nowMs: number): JsonObject {
  const observedGeneration = numberField(status, "observedGeneration") ?? 0;
  const none = { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "", observedGeneration } as const;
  const conditions = setCondition(conditionsOf(status["conditions"]), none, { now: () => nowMs });
  return { ...status, conditions: jsonOf(conditions) };
}

/** What is said of a budget that allows nothing. */
function whyNot(budget: DynamicObject): string {
  const status = objectField(budget, "status");
  const { name } = budget.metadata;
  const condition = objectsField(status, "conditions").find((each) => stringField(each, "type") === "DisruptionAllowed");
  const [reason, message] = [stringField(condition, "reason"), stringField(condition, "message")];
  const isSaid = stringField(condition, "status") === "False" && message !== "";
  const [needed, healthy] = [numberField(status, "desiredHealthy") ?? 0, numberField(status, "currentHealthy") ?? 0];
  if (isSaid && reason === "SyncFailed") {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  if (healthy <= needed) return `The disruption budget ${name} needs ${needed} healthy pods and has ${healthy} currently`;
  const said = isSaid ? ` (${reason}): ${message}` : "";
  return `The disruption budget ${name} does not allow evicting pods currently${said}`;
}

function tooMany(message: string, retryAfterSeconds: number): ApiError {
  return refusal("TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: "DisruptionBudget", message }],
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  });
}

/** A pod that does not serve disrupts nothing, if that is allowed or if enough others do. */
function mayUnhealthyGo(budget: DynamicObject): boolean {
  if (stringField(objectField(budget, "spec"), "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const status = objectField(budget, "status");
  const desired = numberField(status, "desiredHealthy") ?? 0;
  return desired > 0 && (numberField(status, "currentHealthy") ?? 0) >= desired;
}

function isReady(pod: DynamicObject): boolean {
  return isConditionTrue(conditionsOf(objectField(pod, "status")["conditions"]), "Ready");
}
