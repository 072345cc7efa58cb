import { FieldPath, forbiddenField, invalidValue, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { qualifiedErrors, subdomainErrors } from "../field-rules.ts";
import { ipErrors, parseIp } from "../ip-address.ts";
import { field, has, listField, numberField, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { metadataUpdateErrors } from "../metadata-validation.ts";
import { annotationUpdateErrors } from "./pod-validation.ts";

const statusPath = FieldPath.of("status");
const systemConditions = ["PodScheduled", "Ready", "Initialized"];

/** What is wrong with a changed `status` of a pod. */
export function validatePodStatusUpdate(pod: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [status, oldStatus, oldSpec] = [objectField(pod, "status"), objectField(old, "status"), objectField(old, "spec")];
  const nominated = stringField(status, "nominatedNodeName");
  const isNominated = nominated !== "" && nominated !== stringField(oldStatus, "nominatedNodeName");
  const errors = [...metadataUpdateErrors(pod, old), ...annotationUpdateErrors(pod, old), ...conditionErrors(status)];
  if (isNominated) errors.push(...subdomainErrors(nominated, statusPath.child("nominatedNodeName")));
  if (isNominated && stringField(oldSpec, "nodeName") !== "") {
    errors.push(forbiddenField(statusPath.child("nominatedNodeName"), "may not be set on pods that are already bound to a node"));
  }
  const generation = numberField(status, "observedGeneration") ?? 0;
  if (generation < 0) errors.push(invalidValue(statusPath.child("observedGeneration"), generation, "must be a non-negative integer"));
  if (!structuralEqual(field(status, "qosClass"), field(oldStatus, "qosClass"))) {
    errors.push(invalidValue(statusPath.child("qosClass"), stringField(status, "qosClass"), "field is immutable"));
  }
  return [...errors, ...restartErrors(status, oldStatus, oldSpec), ...podIpErrors(status, oldStatus), ...hostIpErrors(status, oldStatus)];
}

function conditionErrors(status: JsonObject): readonly FieldError[] {
  return objectsField(status, "conditions").flatMap((condition, index) => {
    const path = statusPath.child("conditions").index(index);
    const type = stringField(condition, "type");
    const generation = numberField(condition, "observedGeneration") ?? 0;
    return [
      ...(generation < 0 ? [invalidValue(path.child("observedGeneration"), generation, "must be a non-negative integer")] : []),
      ...(systemConditions.includes(type) ? [] : qualifiedErrors(type, path.child("Type"))),
    ];
  });
}

/** A container that has ended, and is not to be started again, stays ended. */
function restartErrors(status: JsonObject, old: JsonObject, spec: JsonObject): readonly FieldError[] {
  const all = [...objectsField(spec, "initContainers"), ...objectsField(spec, "containers")];
  const anyRestartsAll = all.some((container) =>
    objectsField(container, "restartPolicyRules").some((rule) => stringField(rule, "action") === "RestartAllContainers"),
  );
  const lists = [
    ...(anyRestartsAll
      ? []
      : [
          { statuses: "containerStatuses", containers: objectsField(spec, "containers") },
          { statuses: "initContainerStatuses", containers: objectsField(spec, "initContainers") },
        ]),
    { statuses: "ephemeralContainerStatuses", containers: [] },
  ];
  return lists.flatMap(({ statuses, containers }) =>
    objectsField(old, statuses).flatMap((before, index) => {
      const ended = optionalObject(optionalObject(before, "state"), "terminated");
      if (ended === undefined) return [];
      const name = stringField(before, "name");
      const now = objectsField(status, statuses).find((each) => stringField(each, "name") === name);
      if (now === undefined || has(optionalObject(now, "state"), "terminated")) return [];
      const container = containers.find((each) => stringField(each, "name") === name);
      if (container !== undefined && mayRestart(container, spec, numberField(ended, "exitCode") ?? 0)) return [];
      return [forbiddenField(statusPath.child(statuses).index(index).child("state"), "may not be transitioned to non-terminated state")];
    }),
  );
}

function mayRestart(container: JsonObject, spec: JsonObject, exitCode: number): boolean {
  const own = stringField(container, "restartPolicy");
  const isMatched = objectsField(container, "restartPolicyRules").some((rule) => matchesExit(rule, exitCode));
  if (own !== "" && isMatched) return true;
  switch (own === "" ? stringField(spec, "restartPolicy") : own) {
    case "Never":
      return false;
    case "OnFailure":
      return exitCode !== 0;
    default:
      return true;
  }
}

function matchesExit(rule: JsonObject, exitCode: number): boolean {
  const codes = optionalObject(rule, "exitCodes");
  if (codes === undefined) return false;
  return listField(codes, "values").includes(exitCode) === (stringField(codes, "operator") === "In");
}

function podIpErrors(status: JsonObject, old: JsonObject): readonly FieldError[] {
  return addressErrors(status, old, "podIPs", "may specify no more than one IP for each IP family");
}

function hostIpErrors(status: JsonObject, old: JsonObject): readonly FieldError[] {
  const [first] = objectsField(status, "hostIPs");
  if (first === undefined) return [];
  const ip = stringField(first, "ip");
  const path = statusPath.child("hostIPs").index(0).child("ip");
  const errors = stringField(status, "hostIP") === ip ? [] : [invalidValue(path, ip, "must be equal to `hostIP`")];
  return [...errors, ...addressErrors(status, old, "hostIPs", "may specify no more than one IP for each IP family")];
}

function addressErrors(status: JsonObject, old: JsonObject, list: string, rule: string): readonly FieldError[] {
  const path = statusPath.child(list);
  const addresses = objectsField(status, list).map((each) => stringField(each, "ip"));
  const before = objectsField(old, list).map((each) => stringField(each, "ip"));
  const errors = addresses.flatMap((address, index) => ipErrors(path.index(index), address, before));
  if (addresses.length < 2) return errors;
  const parsed = addresses.map(parseIp);
  const broken = parsed.indexOf(undefined);
  const families = new Set(parsed.map((address) => address?.family));
  if (broken >= 0) errors.push(unchecked(path, `invalid IP[${broken}]: ${addresses[broken]}`));
  else if (families.size === 2 && addresses.length === 2) return errors;
  return [
    ...errors,
    invalidValue(
      path,
      addresses.map((ip) => ({ IP: ip })),
      rule,
    ),
  ];
}

/** The server goes on to compare what it has refused already, and fails. */
function unchecked(path: FieldPath, why: string): FieldError {
  return { type: "InternalError", field: String(path), body: `Internal error: failed to check for dual stack with error:${why}` };
}
