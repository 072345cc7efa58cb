import { duplicate, invalidValue, labelValueErrors, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { optionalOneOf, qualifiedErrors } from "../field-rules.ts";
import { has, numberField, stringField } from "../json-fields.ts";
import { selectorErrors, validateLabelKeys } from "./affinity-validation.ts";

/** What a taint does to pods that do not tolerate it. */
export const taintEffects: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** What is wrong with the taints a pod tolerates. */
export function validateTolerations(tolerations: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, path.index(index)));
}

function validateToleration(toleration: JsonObject, path: FieldPath): readonly FieldError[] {
  const [key, operator, effect] = [stringField(toleration, "key"), stringField(toleration, "operator"), stringField(toleration, "effect")];
  const errors: FieldError[] = key === "" ? [] : [...qualifiedErrors(key, path.child("key"))];
  if (key === "" && operator !== "Exists") {
    const rule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidValue(path.child("operator"), operator, rule));
  }
  if (has(toleration, "tolerationSeconds") && effect !== "NoExecute") {
    errors.push(invalidValue(path.child("effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  errors.push(...operatorErrors(operator, stringField(toleration, "value"), path.child("operator")));
  if (effect !== "" && !taintEffects.includes(effect)) errors.push(notEnumerated(path.child("effect"), effect, taintEffects));
  return errors;
}

function operatorErrors(operator: string, value: string, path: FieldPath): readonly FieldError[] {
  switch (operator) {
    case "":
    case "Equal": {
      const problems = labelValueErrors(value);
      return problems.length === 0 ? [] : [invalidValue(path, value, problems.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [invalidValue(path, value, "value must be empty when `operator` is 'Exists'")];
    case "Lt":
    case "Gt":
      return [notEnumerated(path, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notEnumerated(path, operator, ["Equal", "Exists"])];
  }
}

const unsatisfiable = ["DoNotSchedule", "ScheduleAnyway"];
const inclusions = ["Honor", "Ignore"];

/** What is wrong with how pods are to be spread over nodes. */
export function validateSpread(constraints: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const at = path.index(index);
    const [key, when] = [stringField(constraint, "topologyKey"), stringField(constraint, "whenUnsatisfiable")];
    const errors = [...positive(numberField(constraint, "maxSkew") ?? 0, at.child("maxSkew"))];
    if (key === "") errors.push(required(at.child("topologyKey"), "can not be empty"));
    if (!unsatisfiable.includes(when)) errors.push(notEnumerated(at.child("whenUnsatisfiable"), when, unsatisfiable));
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => stringField(other, "topologyKey") === key && stringField(other, "whenUnsatisfiable") === when);
    if (isRepeated) errors.push(duplicate(at.child("{topologyKey, whenUnsatisfiable}"), `{${key}, ${when}}`));
    return [
      ...errors,
      ...minDomainErrors(constraint, when, at.child("minDomains")),
      ...optionalOneOf(constraint, "nodeAffinityPolicy", inclusions, at),
      ...optionalOneOf(constraint, "nodeTaintsPolicy", inclusions, at),
      ...validateLabelKeys(constraint, at),
      ...selectorErrors(constraint, "labelSelector", at),
    ];
  });
}

function minDomainErrors(constraint: JsonObject, when: string, path: FieldPath): readonly FieldError[] {
  const domains = numberField(constraint, "minDomains");
  if (domains === undefined) return [];
  const rule = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
  return [...positive(domains, path), ...(when === "DoNotSchedule" ? [] : [invalidValue(path, domains, rule)])];
}

function positive(value: number, path: FieldPath): readonly FieldError[] {
  return value > 0 ? [] : [invalidValue(path, value, "must be greater than zero")];
}
