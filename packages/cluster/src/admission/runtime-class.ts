import type { AdmissionPlugin, AdmissionRequest } from "@kaji/apiserver";
import { Quantity, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { has, objectField, objectsField, optionalObject, stringField, stringMapField } from "../kinds/json-fields.ts";
import { resourceList } from "../kinds/core/resource-list.ts";
import { refusedObject } from "./refused-object.ts";
import type { StoredObjects } from "./stored-objects.ts";

const path = "/registry/runtimeclasses/";
const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** Refuses pods that name a RuntimeClass which is not there, and gives the others what theirs costs and where it is. */
export function runtimeClass(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "RuntimeClass",
    resources: ["/pods"],
    mutate: (request) => {
      if (!isNewPod(request)) return request.object;
      const found = classOf(objects, request);
      return found === undefined ? request.object : { ...request.object, spec: specWith(request, found) };
    },
    validate: (request) => {
      if (!isNewPod(request)) return;
      const spec = objectField(request.object, "spec");
      const overhead = optionalObject(classOf(objects, request), "overhead");
      if (overhead === undefined) {
        if (has(spec, "overhead")) {
          throw refusedObject(request, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
        }
      } else if (!isSameOverhead(objectField(overhead, "podFixed"), objectField(spec, "overhead")))
        throw refusedObject(request, otherOverhead);
    },
  };
}

function isNewPod({ operation, target }: AdmissionRequest): boolean {
  return operation === "CREATE" && target.subresource === undefined;
}

function classOf(objects: StoredObjects, request: AdmissionRequest): DynamicObject | undefined {
  const spec = objectField(request.object, "spec");
  if (!has(spec, "runtimeClassName")) return undefined;
  const name = stringField(spec, "runtimeClassName");
  const found = objects.get(path + name);
  if (found === undefined) throw refusedObject(request, `pod rejected: RuntimeClass ${quote(name)} not found`);
  return found;
}

function specWith(request: AdmissionRequest, found: DynamicObject): JsonObject {
  const spec = objectField(request.object, "spec");
  const [overhead, scheduling] = [optionalObject(found, "overhead"), optionalObject(found, "scheduling")];
  const fixed = objectField(overhead, "podFixed");
  const isGiven = Object.keys(objectField(spec, "overhead")).length > 0;
  if (overhead !== undefined && isGiven && !isSameOverhead(fixed, objectField(spec, "overhead")))
    throw refusedObject(request, otherOverhead);
  return {
    ...spec,
    ...(overhead === undefined ? {} : { overhead: fixed }),
    ...(scheduling === undefined ? {} : placement(request, spec, scheduling)),
  };
}

function placement(request: AdmissionRequest, spec: JsonObject, scheduling: JsonObject): JsonObject {
  const [own, wanted] = [stringMapField(spec, "nodeSelector"), stringMapField(scheduling, "nodeSelector")];
  for (const [key, value] of Object.entries(wanted)) {
    const present = own[key];
    if (present === undefined || present === value) continue;
    const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${present}`;
    throw refusedObject(request, why);
  }
  const tolerations = objectsField(spec, "tolerations");
  const more = objectsField(scheduling, "tolerations").filter((each) => !tolerations.some((other) => structuralEqual(each, other)));
  const nodeSelector = { ...own, ...wanted };
  return {
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(tolerations.length + more.length === 0 ? {} : { tolerations: [...tolerations, ...more] }),
  };
}

function isSameOverhead(left: JsonObject, right: JsonObject): boolean {
  const [lefts, rights] = [resourceList(left), resourceList(right)];
  return lefts.size === rights.size && [...lefts].every(([name, amount]) => amount.equals(rights.get(name) ?? Quantity.of(-1)));
}
