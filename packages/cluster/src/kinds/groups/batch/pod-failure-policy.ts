import { duplicate, invalidValue, qualifiedNameErrors, required, tooMany } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { eachItem, invalidFor } from "../../field-rules.ts";
import { field, has, listField, objectField, objectsField, optionalObject, stringField } from "../../json-fields.ts";

const mostRules = 20;
const mostExitCodes = 255;
const mostPatterns = 20;
const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];

/** What is wrong with what a job does about pods that fail. */
export function validatePodFailurePolicy(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const rules = objectsField(objectField(spec, "podFailurePolicy"), "rules");
  const podSpec = objectField(objectField(spec, "template"), "spec");
  const containers = [...objectsField(podSpec, "containers"), ...objectsField(podSpec, "initContainers")].map((container) =>
    stringField(container, "name"),
  );
  return [
    ...(rules.length > mostRules ? [tooMany(path.child("rules"), rules.length, mostRules)] : []),
    ...eachItem(rules, path.child("rules"), (rule, at) => [
      ...validateAction(rule, at, has(spec, "backoffLimitPerIndex")),
      ...validateCondition(rule, at, containers),
    ]),
  ];
}

function validateAction(rule: JsonObject, path: FieldPath, isPerIndex: boolean): readonly FieldError[] {
  const action = stringField(rule, "action");
  const at = path.child("action");
  if (action === "") return [required(at, validValues(actions))];
  if (action === "FailIndex") return isPerIndex ? [] : [invalidValue(at, action, "requires the backoffLimitPerIndex to be set")];
  return actions.includes(action) ? [] : [notEnumerated(at, action, actions)];
}

function validateCondition(rule: JsonObject, path: FieldPath, containers: readonly string[]): readonly FieldError[] {
  const exitCodes = optionalObject(rule, "onExitCodes");
  const patterns = objectsField(rule, "onPodConditions");
  const errors = [
    ...(exitCodes === undefined ? [] : validateExitCodes(exitCodes, path.child("onExitCodes"), containers)),
    ...(patterns.length > mostPatterns ? [tooMany(path.child("onPodConditions"), patterns.length, mostPatterns)] : []),
    ...eachItem(patterns, path.child("onPodConditions"), validatePattern),
  ];
  if ((exitCodes === undefined) !== (patterns.length === 0)) return errors;
  const rule1 =
    exitCodes === undefined
      ? "specifying one of OnExitCodes and OnPodConditions is required"
      : "specifying both OnExitCodes and OnPodConditions is not supported";
  return [...errors, omitted(path, rule1)];
}

function validateExitCodes(exitCodes: JsonObject, path: FieldPath, containers: readonly string[]): readonly FieldError[] {
  const [operator, container] = [stringField(exitCodes, "operator"), stringField(exitCodes, "containerName")];
  const values = listField(exitCodes, "values").map(Number);
  const at = path.child("values");
  const errors: FieldError[] = [];
  if (operator === "") errors.push(required(path.child("operator"), validValues(operators)));
  else if (!operators.includes(operator)) errors.push(notEnumerated(path.child("operator"), operator, operators));
  if (has(exitCodes, "containerName") && !containers.includes(container)) {
    errors.push(
      invalidValue(path.child("containerName"), container, "must be one of the container or initContainer names in the pod template"),
    );
  }
  if (values.length === 0) errors.push(invalidValue(at, field(exitCodes, "values") ?? null, "at least one value is required"));
  else if (values.length > mostExitCodes) errors.push(tooMany(at, values.length, mostExitCodes));
  for (const [index, value] of values.entries()) {
    if (operator === "In" && value === 0) errors.push(invalidValue(at.index(index), value, "must not be 0 for the In operator"));
    if (values.indexOf(value) < index) errors.push(duplicate(at.index(index), value));
  }
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
  return isOrdered ? errors : [...errors, invalidValue(at, values, "must be ordered")];
}

function validatePattern(pattern: JsonObject, path: FieldPath): readonly FieldError[] {
  const [type, status] = [stringField(pattern, "type"), stringField(pattern, "status")];
  return [
    ...invalidFor(path.child("type"), type, qualifiedNameErrors(type)),
    ...(statuses.includes(status) ? [] : [notEnumerated(path.child("status"), status, statuses)]),
  ];
}

/** A refusal that does not show the value. */
export function omitted(path: FieldPath, rule: string): FieldError {
  const error = invalidValue(path, null, rule);
  return { ...error, body: `Invalid value: ${rule}` };
}

function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
