import { invalidValue, required, tooLong } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapItems, withDefaults, withPresence } from "../../field-defaults.ts";
import { nonNegatives } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { field, has, numberField, objectField, stringField } from "../../json-fields.ts";
import { defaultPodTemplate, validatePodTemplate } from "../../pod-template.ts";
import { validateDomainPrefixedPath } from "../../text-rules.ts";
import { validatePodFailurePolicy } from "./pod-failure-policy.ts";
import { validateSuccessPolicy } from "./success-policy.ts";

const largestInt32 = 2 ** 31 - 1;
const mostParallel = 100_000;
const manyCompletions = 100_000;
const mostParallelOfMany = 10_000;
const longestManagedBy = 63;

/** Fills in what the `spec` of a job leaves out; that of a job in a CronJob only as far as its pods go. */
export function defaultJobSpec(spec: JsonObject, place: "job" | "template"): JsonObject {
  const withTemplate = mapField(spec, "template", defaultPodTemplate);
  const withStatuses = mapField(withTemplate, "podFailurePolicy", (policy) =>
    mapItems(policy, "rules", (rule) => mapItems(rule, "onPodConditions", (pattern) => withDefaults(pattern, { status: "True" }))),
  );
  if (place === "template") return withStatuses;
  const isOpen = !has(spec, "completions") && !has(spec, "parallelism");
  return withPresence(isOpen ? { ...withStatuses, completions: 1 } : withStatuses, {
    parallelism: 1,
    backoffLimit: has(spec, "backoffLimitPerIndex") ? largestInt32 : 6,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: has(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed",
    manualSelector: false,
  });
}

/** What is wrong with a job but for its selector, which is made for it in most cases. */
export function validateJobSpec(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...validateNumbers(spec, path),
    ...validateManagedBy(spec, path.child("managedBy")),
    ...validateCompletionMode(spec, path),
    ...(has(spec, "podFailurePolicy") ? validatePodFailurePolicy(spec, path.child("podFailurePolicy")) : []),
    ...(has(spec, "successPolicy") ? validateSuccess(spec, path.child("successPolicy")) : []),
    ...validateReplacement(spec, path.child("podReplacementPolicy")),
    ...validatePodTemplate(objectField(spec, "template"), path.child("template")),
    ...validateRestartPolicy(spec, path.child("template", "spec", "restartPolicy")),
  ];
}

/** Whether each of a job's pods has an index. */
export function isIndexed(spec: JsonObject): boolean {
  return stringField(spec, "completionMode") === "Indexed";
}

function validateNumbers(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const names = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  ];
  const isAlone = has(spec, "maxFailedIndexes") && !has(spec, "backoffLimitPerIndex");
  return [
    ...nonNegatives(spec, names, path),
    ...(isAlone ? [required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified")] : []),
  ];
}

function validateManagedBy(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!has(spec, "managedBy")) return [];
  const value = stringField(spec, "managedBy");
  return [
    ...validateDomainPrefixedPath(path, value),
    ...(Buffer.byteLength(value) > longestManagedBy ? [tooLong(path, longestManagedBy)] : []),
  ];
}

function validateCompletionMode(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const mode = stringField(spec, "completionMode");
  if (mode === "Indexed") return validateIndexed(spec, path);
  if (has(spec, "completionMode") && mode !== "NonIndexed")
    return [notEnumerated(path.child("completionMode"), mode, ["NonIndexed", "Indexed"])];
  return ["backoffLimitPerIndex", "maxFailedIndexes"]
    .filter((name) => has(spec, name))
    .map((name) => invalidValue(path.child(name), field(spec, name), "requires indexed completion mode"));
}

function validateIndexed(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const [completions, parallelism, failed] = [
    numberField(spec, "completions"),
    numberField(spec, "parallelism") ?? 0,
    numberField(spec, "maxFailedIndexes"),
  ];
  const [parallelPath, failedPath] = [path.child("parallelism"), path.child("maxFailedIndexes")];
  const errors: FieldError[] = [];
  if (completions === undefined) errors.push(required(path.child("completions"), "when completion mode is Indexed"));
  if (parallelism > mostParallel)
    errors.push(invalidValue(parallelPath, parallelism, `must be less than or equal to ${mostParallel} when completion mode is Indexed`));
  if (completions !== undefined && failed !== undefined && failed > completions)
    errors.push(invalidValue(failedPath, failed, "must be less than or equal to completions"));
  if (failed !== undefined && failed > mostParallel)
    errors.push(invalidValue(failedPath, failed, `must be less than or equal to ${mostParallel}`));
  if ((completions ?? 0) <= manyCompletions || !has(spec, "backoffLimitPerIndex")) return errors;
  const rule = `must be less than or equal to ${mostParallelOfMany} when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (failed === undefined) errors.push(required(failedPath, `must be specified when completions is above ${manyCompletions}`));
  if (parallelism > mostParallelOfMany) errors.push(invalidValue(parallelPath, parallelism, rule));
  if (failed !== undefined && failed > mostParallelOfMany) errors.push(invalidValue(failedPath, failed, rule));
  return errors;
}

function validateSuccess(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  if (isIndexed(spec)) return validateSuccessPolicy(spec, path);
  return [
    invalidValue(path, internalForm("batch.v1.SuccessPolicy", objectField(spec, "successPolicy")), "requires indexed completion mode"),
  ];
}

function validateReplacement(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!has(spec, "podReplacementPolicy")) return [];
  const policy = stringField(spec, "podReplacementPolicy");
  const choices = has(spec, "podFailurePolicy") ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  return choices.includes(policy) ? [] : [notEnumerated(path, policy, choices)];
}

function validateRestartPolicy(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const policy = stringField(objectField(objectField(spec, "template"), "spec"), "restartPolicy");
  if (policy === "" || policy === "Always") return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [notEnumerated(path, policy, ["OnFailure", "Never"])];
  if (!has(spec, "podFailurePolicy") || policy === "Never") return [];
  return [invalidValue(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
