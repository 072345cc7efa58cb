import { isJsonObject, selectorOf } from "@kaji/core";
import type { JsonValue, KubeObject, LabelSelector, Resource } from "@kaji/core";
import { kindName } from "../simulation/object-id.ts";

/** What may outlive what it was made for: all objects of a kind, or those with some labels. */
export type Retained = Resource | { readonly resource: Resource; readonly labelSelector: string | LabelSelector };

/** Whether an object is one of those. */
export function isRetained(retained: readonly Retained[], id: string, labels: KubeObject["metadata"]["labels"] = {}): boolean {
  return retained.some((each) => {
    const { resource, labelSelector } = "resource" in each ? each : { resource: each, labelSelector: "" };
    return id.startsWith(`${kindName(resource.group, resource.kind)} `) && selectorOf(labelSelector).matches(labels);
  });
}

/** The labels of an object of which only what is compared is known. */
export function labelsIn(content: JsonValue | undefined): Readonly<Record<string, string>> {
  const metadata = isJsonObject(content) ? content["metadata"] : undefined;
  const labels = isJsonObject(metadata) ? metadata["labels"] : undefined;
  if (!isJsonObject(labels)) return {};
  return Object.fromEntries(Object.entries(labels).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}
