import { Quantity } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { objectField, objectsField, optionalObject } from "../json-fields.ts";
import { resourceList } from "./resource-list.ts";

const counted = ["cpu", "memory"];

/** How well a pod is protected when its node runs short: by whether it says what it needs, and whether that is all it may have. */
export function qosClassOf(spec: JsonObject): "BestEffort" | "Burstable" | "Guaranteed" {
  const ofPod = optionalObject(spec, "resources");
  const parts = ofPod === undefined ? containersOf(spec) : [ofPod];
  const requests = totals(parts, "requests");
  const limits = totals(parts, "limits");
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isLimited = parts.every((part) => isLimitedWhole(part, ofPod !== undefined));
  const isExact = requests.size === limits.size && [...requests].every(([name, amount]) => limits.get(name)?.equals(amount) === true);
  return isLimited && isExact ? "Guaranteed" : "Burstable";
}

function containersOf(spec: JsonObject): readonly JsonObject[] {
  return [...objectsField(spec, "containers"), ...objectsField(spec, "initContainers")].map((container) =>
    objectField(container, "resources"),
  );
}

function totals(parts: readonly JsonObject[], of: "limits" | "requests"): ReadonlyMap<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const part of parts) {
    for (const [name, amount] of resourceList(optionalObject(part, of))) {
      if (counted.includes(name) && amount.sign() > 0) sums.set(name, amount.add(sums.get(name) ?? Quantity.zero));
    }
  }
  return sums;
}

/** A pod's own resources may leave limits out altogether; those of a container may not. */
function isLimitedWhole(resources: JsonObject, ofPod: boolean): boolean {
  const limits = resourceList(optionalObject(resources, "limits"));
  if (ofPod && limits.size === 0) return true;
  return counted.every((name) => (limits.get(name)?.sign() ?? 0) > 0);
}
