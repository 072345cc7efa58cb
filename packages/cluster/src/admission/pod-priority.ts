import type { AdmissionPlugin, AdmissionRequest } from "@kaji/apiserver";
import { forbidden } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { booleanField, field, numberField, objectField, stringField } from "../kinds/json-fields.ts";
import type { StoredObjects } from "./stored-objects.ts";

const path = "/registry/priorityclasses/";

/** Gives pods the number that their priority class stands for, and keeps it through updates. */
export function podPriority(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "Priority",
    resources: ["/pods", "scheduling.k8s.io/priorityclasses"],
    mutate: ({ operation, target, object, oldObject }) => {
      if (target.kind.plural !== "pods" || target.subresource !== undefined) return object;
      const spec = objectField(object, "spec");
      if (operation === "UPDATE") return { ...object, spec: withPriorityOf(spec, objectField(oldObject, "spec")) };
      return { ...object, spec: withPriority(objects, spec, nameOf(object)) };
    },
    validate: (request) => refuseSecondDefault(objects, request),
  };
}

/** The name in a refusal; one that the server is to generate is shown by its prefix. */
function nameOf({ metadata }: DynamicObject): string {
  return metadata.name || metadata.generateName || "Unknown";
}

function withPriorityOf(spec: JsonObject, old: JsonObject): JsonObject {
  const kept = ["priority", "preemptionPolicy"].flatMap((name) => {
    const value = field(old, name);
    return field(spec, name) === undefined && value !== undefined ? [[name, value]] : [];
  });
  return { ...spec, ...Object.fromEntries(kept) };
}

function withPriority(objects: StoredObjects, spec: JsonObject, pod: string): JsonObject {
  const refuse = (why: string): Error => forbidden({ group: "", plural: "pods" }, pod, why);
  const given = stringField(spec, "priorityClassName");
  const found = given === "" ? defaultClass(objects) : objects.get(path + given);
  if (given !== "" && found === undefined) throw refuse(`no PriorityClass with name ${given} was found`);
  const priority = numberField(found, "value") ?? 0;
  const policy = found === undefined ? "PreemptLowerPriority" : stringField(found, "preemptionPolicy");
  const computed = "must not be provided in pod spec; priority admission controller computed";
  const [wanted, wantedPolicy] = [numberField(spec, "priority"), stringField(spec, "preemptionPolicy")];
  if (wanted !== undefined && wanted !== priority) {
    throw refuse(`the integer value of priority (${wanted}) ${computed} ${priority} from the given PriorityClass name`);
  }
  if (wantedPolicy !== "" && policy !== "" && wantedPolicy !== policy) {
    throw refuse(`the string value of PreemptionPolicy (${wantedPolicy}) ${computed} ${policy} from the given PriorityClass name`);
  }
  const name = found?.metadata.name ?? "";
  return {
    ...spec,
    ...(name === "" ? {} : { priorityClassName: name }),
    priority,
    ...(policy === "" ? {} : { preemptionPolicy: policy }),
  };
}

function refuseSecondDefault(objects: StoredObjects, { operation, target, object }: AdmissionRequest): void {
  const { group, plural } = target.kind;
  if (group !== "scheduling.k8s.io" || plural !== "priorityclasses" || operation === "DELETE" || !booleanField(object, "globalDefault"))
    return;
  const name = object?.metadata.name ?? "";
  const present = defaultClass(objects)?.metadata.name;
  if (present === undefined || (operation === "UPDATE" && present === name)) return;
  throw forbidden(target.kind, name, `PriorityClass ${present} is already marked as default. Only one default can exist`);
}

/** Of several defaults, which a race may have made, the lowest. */
function defaultClass(objects: StoredObjects): DynamicObject | undefined {
  const defaults = objects.list(path).filter((each) => booleanField(each, "globalDefault"));
  return defaults.toSorted((left, right) => (numberField(left, "value") ?? 0) - (numberField(right, "value") ?? 0))[0];
}
