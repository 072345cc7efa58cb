import type { DynamicObject, JsonObject } from "@kaji/core";
import { optionalObject } from "../../kinds/json-fields.ts";

/** Where resources that make pods keep the template of them. */
const places: ReadonlyMap<string, readonly string[]> = new Map([
  ["/podtemplates", ["template"]],
  ["/replicationcontrollers", ["spec", "template"]],
  ["apps/daemonsets", ["spec", "template"]],
  ["apps/deployments", ["spec", "template"]],
  ["apps/replicasets", ["spec", "template"]],
  ["apps/statefulsets", ["spec", "template"]],
  ["batch/cronjobs", ["spec", "jobTemplate", "spec", "template"]],
  ["batch/jobs", ["spec", "template"]],
]);

/** Resources that make pods, as `group/plural`. */
export const templateResources: readonly string[] = [...places.keys()];

/** The template of the pods that an object makes, if it has one. */
export function podTemplateOf(resource: string, object: DynamicObject): JsonObject | undefined {
  const [first = "", ...others] = places.get(resource) ?? [];
  return others.reduce((parent, name) => optionalObject(parent, name), optionalObject(object, first));
}
