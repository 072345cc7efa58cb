import type { Quantity, JsonObject } from "@kaji/core";
import { objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { resourceList } from "./resource-list.ts";
import type { ResourceList } from "./resource-list.ts";

/**
 * What all containers of a pod take together. Init containers run one after the other before the others, so they count by their
 * largest; those that go on running (`restartPolicy: Always`) count beside everything that starts after them.
 */
export function containerTotals(spec: JsonObject, of: "limits" | "requests"): ResourceList {
  const totals = new Map<string, Quantity>();
  for (const container of objectsField(spec, "containers")) addTo(totals, amountsOf(container, of));

  const sidecars = new Map<string, Quantity>();
  const largest = new Map<string, Quantity>();
  for (const container of objectsField(spec, "initContainers")) {
    const amounts = amountsOf(container, of);
    if (stringField(container, "restartPolicy") === "Always") {
      addTo(totals, amounts);
      addTo(sidecars, amounts);
      raiseTo(largest, sidecars);
    } else {
      const running = new Map(sidecars);
      addTo(running, amounts);
      raiseTo(largest, running);
    }
  }
  raiseTo(totals, largest);
  return totals;
}

/** What a pod takes: what its containers take together, unless it says so itself for the whole of it. */
export function podTotals(spec: JsonObject, of: "limits" | "requests"): ResourceList {
  const own = [...resourceList(optionalObject(objectField(spec, "resources"), of))].filter(([name]) => isPodLevelResource(name));
  return new Map([...containerTotals(spec, of), ...own]);
}

/** Whether a resource may be given for a pod as a whole. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

/** Whether a resource is memory in pages of one large size. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** The limits or requests of a container. */
function amountsOf(container: JsonObject, of: "limits" | "requests"): ResourceList {
  return resourceList(optionalObject(objectField(container, "resources"), of));
}

function addTo(totals: Map<string, Quantity>, amounts: ResourceList): void {
  for (const [name, amount] of amounts) totals.set(name, totals.get(name)?.add(amount) ?? amount);
}

function raiseTo(totals: Map<string, Quantity>, amounts: ResourceList): void {
  for (const [name, amount] of amounts) {
    const present = totals.get(name);
    if (present === undefined || amount.compare(present) > 0) totals.set(name, amount);
  }
}
