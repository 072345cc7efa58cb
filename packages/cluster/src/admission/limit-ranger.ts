import type { AdmissionPlugin, AdmissionRequest } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { joinMessages } from "@kaji/core/go";
import { defaultPod } from "../kinds/core/pod-defaults.ts";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";
import { limitProblems } from "./limit-checks.ts";
import { refusedObject } from "./refused-object.ts";
import type { StoredObjects } from "./stored-objects.ts";

const annotation = "kubernetes.io/limit-ranger";

/** Gives containers what the LimitRanges of their namespace say, and refuses pods and claims that ask for too little or too much. */
export function limitRanger(objects: StoredObjects): AdmissionPlugin {
  const rangesFor = (request: AdmissionRequest): readonly DynamicObject[] =>
    concerns(request) ? objects.list(`/registry/limitranges/${request.target.namespace}/`) : [];
  return {
    name: "LimitRanger",
    resources: ["/pods", "/persistentvolumeclaims"],
    mutate: (request) => {
      if (request.target.kind.plural !== "pods") return request.object;
      const pod = rangesFor(request).reduce(withDefaults, request.object);
      // What a pod asks for as a whole follows from its containers.
      return pod === request.object ? pod : defaultPod(pod);
    },
    validate: (request) => {
      const { object, target } = request;
      if (object === undefined) return;
      for (const range of rangesFor(request)) {
        const problems = limitsOf(range).flatMap((limit) => limitProblems(limit, target.kind.plural, object));
        if (problems.length > 0) throw refusedObject(request, joinMessages(problems));
      }
    },
  };
}

/** Pods are checked on creation and `resize`, which alone changes their resources; objects that are being deleted are not checked. */
function concerns({ operation, target, oldObject }: AdmissionRequest): boolean {
  const { kind, subresource, namespace } = target;
  if (namespace === undefined || oldObject?.metadata.deletionTimestamp !== undefined) return false;
  if (kind.plural === "pods")
    return subresource === undefined ? operation === "CREATE" : subresource === "resize" && operation === "UPDATE";
  return subresource === undefined && operation !== "DELETE";
}

function withDefaults(pod: DynamicObject, range: DynamicObject): DynamicObject {
  const limits = limitsOf(range).filter((limit) => stringField(limit, "type") === "Container");
  const defaults = { requests: merged(limits, "defaultRequest"), limits: merged(limits, "default") };
  const notes: string[] = [];
  const spec = objectField(pod, "spec");
  const complete = (list: "containers" | "initContainers", what: string): JsonObject => {
    const containers = objectsField(spec, list);
    return containers.length === 0 ? {} : { [list]: containers.map((container) => completed(container, defaults, what, notes)) };
  };
  const completeSpec = { ...spec, ...complete("containers", "container"), ...complete("initContainers", "init container") };
  if (notes.length === 0) return pod;
  const annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join("; ")}` };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec: completeSpec };
}

function completed(
  container: JsonObject,
  defaults: Readonly<Record<"limits" | "requests", JsonObject>>,
  what: string,
  notes: string[],
): JsonObject {
  const resources = objectField(container, "resources");
  const set = (list: "limits" | "requests", word: string): JsonObject => {
    const given = objectField(resources, list);
    const missing = Object.keys(defaults[list])
      .filter((name) => !Object.hasOwn(given, name))
      .toSorted();
    if (missing.length === 0) return {};
    notes.push(`${missing.join(", ")} ${word} for ${what} ${stringField(container, "name")}`);
    return { [list]: { ...defaults[list], ...given } };
  };
  const requests = set("requests", "request");
  return { ...container, resources: { ...resources, ...requests, ...set("limits", "limit") } };
}

function merged(limits: readonly JsonObject[], field: "default" | "defaultRequest"): JsonObject {
  return Object.fromEntries(limits.flatMap((limit) => Object.entries(objectField(limit, field))));
}

function limitsOf(range: DynamicObject): readonly JsonObject[] {
  return objectsField(objectField(range, "spec"), "limits");
}
