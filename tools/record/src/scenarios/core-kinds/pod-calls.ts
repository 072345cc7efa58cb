import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";
import type { Calls } from "../calls.ts";

/** Where the pods are. */
export const podsPath = "/api/v1/namespaces/core-kinds/pods";
export const pods: Calls = callsTo(podsPath);
export const container = { name: "main", image: "nginx" };

/** A pod with this `spec`, which need not name a container. */
export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { metadata: { name, ...metadata }, spec: { containers: [container], ...spec } };
}

/** A pod that is only tried out. */
export function tried(spec: JsonObject, metadata: JsonObject = {}): Step {
  return pods.create(pod("tried", spec, metadata), "?dryRun=All");
}

/** A pod whose one container has these fields besides a name and an image. */
export function triedContainer(fields: JsonObject): Step {
  return tried({ containers: [{ ...container, ...fields }] });
}

/** A write of the status of the pod of this `name`. */
export function status(name: string, value: JsonValue): Step {
  return pods.patch(`${name}/status`, { status: value });
}
