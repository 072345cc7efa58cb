import type { Strategy } from "@kaji/apiserver";
import { FieldPath, forbiddenField, invalidValue, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { withField, withoutFields } from "../field-defaults.ts";
import { field, has, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { keepMetadata } from "../keep-metadata.ts";
import { mirrorAnnotation } from "./pod-annotation-validation.ts";
import { qosClassOf } from "./pod-qos.ts";
import { validateChangedPod, withFieldsOf } from "./pod-validation.ts";

const specPath = FieldPath.of("spec");
const lists = ["containers", "initContainers"] as const;

/** `pods/resize`: changes what the containers of a running pod may use, and nothing else. */
export const resizeStrategy: Strategy = {
  generationOf: "spec",
  resetFields: [["status"]],
  prepareUpdate: (pod, old) => {
    const [spec, oldSpec] = [objectField(pod, "spec"), objectField(old, "spec")];
    // Containers that were added or removed are left for the validation to refuse.
    if (lists.some((list) => objectsField(spec, list).length !== objectsField(oldSpec, list).length)) return pod;
    let next = withFieldsOf(oldSpec, spec, ["resources"]);
    for (const list of lists) {
      const containers = resized(objectsField(spec, list), objectsField(oldSpec, list));
      if (containers.length > 0) next = withField(next, list, containers);
    }
    return { ...keepMetadata(pod, old), spec: next, status: old["status"] };
  },
  validateUpdate: validateResize,
};

function resized(containers: readonly JsonObject[], old: readonly JsonObject[]): readonly JsonObject[] {
  const isSameOrder = containers.every((container, index) => stringField(container, "name") === stringField(old[index], "name"));
  if (!isSameOrder) return containers;
  return containers.map((container, index) => withFieldsOf(old[index] ?? {}, container, ["resources", "resizePolicy"]));
}

function validateResize(pod: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [spec, oldSpec, oldStatus] = [objectField(pod, "spec"), objectField(old, "spec"), objectField(old, "status")];
  if (Object.hasOwn(old.metadata.annotations ?? {}, mirrorAnnotation))
    return [forbiddenField(FieldPath.root, "static pods cannot be resized")];
  if (stringField(optionalObject(oldSpec, "os"), "name") === "windows")
    return [forbiddenField(FieldPath.root, "windows pods cannot be resized")];
  const errors = [...validateChangedPod(pod, old)];
  const qosClass = stringField(oldStatus, "qosClass") || qosClassOf(oldSpec);
  if (qosClass !== qosClassOf(spec)) errors.push(invalidValue(specPath, qosClass, "Pod QOS Class may not change as a result of resizing"));
  if (!isSupported(oldStatus)) errors.push(forbiddenField(specPath, "Pod running on node without support for resize"));
  errors.push(...podLevelErrors(spec, oldSpec));
  const reordered = orderErrors(spec, oldSpec);
  if (reordered.length > 0) return [...errors, ...reordered];
  for (const list of ["initContainers", "containers"] as const) errors.push(...removedErrors(spec, oldSpec, list));
  for (const list of lists) errors.push(...otherChanges(spec, oldSpec, list));
  return errors;
}

/** A node that reports what its running containers have can also change it. */
function isSupported(status: JsonObject): boolean {
  const running = objectsField(status, "containerStatuses").find((each) => has(optionalObject(each, "state"), "running"));
  return running === undefined || has(running, "resources");
}

function podLevelErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const [resources, before] = [optionalObject(spec, "resources"), optionalObject(old, "resources")];
  const path = specPath.child("resources");
  if (before === undefined && resources === undefined) return [];
  if (before !== undefined && resources === undefined) return [forbiddenField(path, "pod-level resources cannot be removed")];
  const errors = ["requests", "limits"].flatMap((name) =>
    isRemoved(optionalObject(resources, name), optionalObject(before, name))
      ? [forbiddenField(path.child(name), `pod-level resource ${name} cannot be removed`)]
      : [],
  );
  const isOther = !structuralEqual(withoutComputed(resources ?? {}), withoutComputed(before ?? {}));
  return isOther ? [...errors, forbiddenField(specPath, "only cpu and memory resources are mutable at pod-level")] : errors;
}

function orderErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  return lists.flatMap((list) => {
    const [containers, before] = [objectsField(spec, list), objectsField(old, list)];
    const path = specPath.child(list);
    if (containers.length !== before.length) return [forbiddenField(path, `${list} may not be added or removed on resize`)];
    return containers.flatMap((container, index) =>
      stringField(container, "name") === stringField(before[index], "name")
        ? []
        : [forbiddenField(path.index(index).child("name"), `${list} may not be renamed or reordered on resize`)],
    );
  });
}

function removedErrors(spec: JsonObject, old: JsonObject, list: string): readonly FieldError[] {
  return objectsField(old, list).flatMap((before, index) => {
    const now = objectField(objectsField(spec, list)[index], "resources");
    const path = specPath.child(list).index(index).child("resources");
    return ["requests", "limits"].flatMap((name) =>
      isRemoved(optionalObject(now, name), optionalObject(objectField(before, "resources"), name))
        ? [forbiddenField(path.child(name), `resource ${name} cannot be removed`)]
        : [],
    );
  });
}

function otherChanges(spec: JsonObject, old: JsonObject, list: string): readonly FieldError[] {
  return objectsField(old, list).flatMap((before, index) => {
    const now = objectsField(spec, list)[index] ?? {};
    const comparable = (container: JsonObject): JsonObject =>
      withField(container, "resources", withoutComputed(objectField(container, "resources")));
    if (structuralEqual(comparable(now), comparable(before))) return [];
    if (list === "containers") return [forbiddenField(specPath, "only cpu and memory resources are mutable")];
    return [forbiddenField(specPath.child(list).index(index), "only cpu and memory resources for init or sidecar containers are mutable")];
  });
}

function isRemoved(now: JsonObject = {}, before: JsonObject = {}): boolean {
  return Object.keys(before).some((name) => field(now, name) === undefined);
}

function withoutComputed(resources: JsonObject): JsonObject {
  const rest = (name: string): JsonObject => withoutFields(objectField(resources, name), "cpu", "memory");
  return { ...resources, requests: rest("requests"), limits: rest("limits") };
}
