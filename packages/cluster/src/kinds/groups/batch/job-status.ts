import { FieldPath, duplicate, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { isUnchanged, nonNegatives } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { booleanField, field, has, numberField, objectField, objectsField, stringField, stringsField } from "../../json-fields.ts";
import { commonIndex, parseIndexRanges } from "./index-ranges.ts";
import { isIndexed } from "./job-spec.ts";
import { omitted } from "./pod-failure-policy.ts";

const path = FieldPath.of("status");
const conditionsPath = path.child("conditions");

/**
 * What is wrong with what a controller says of a job, and with how that has changed. What was wrong already may stay: a status that a change of
 * the spec has overtaken is put right by the next one, whoever writes in between.
 */
export function validateJobStatus(job: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [status, before] = [objectField(job, "status"), objectField(old, "status")];
  const change: Change = { status, before, spec: objectField(job, "spec"), has: hasConditions(status), had: hasConditions(before) };
  return [
    ...nonNegatives(status, ["active", "succeeded", "failed", "ready", "terminating"], path),
    ...validateUncounted(objectField(status, "uncountedTerminatedPods")),
    ...validateOutcome(change),
    ...validateFinished(change),
    ...validateIndexes(change),
    ...validateRest(change),
    ...validateProgress(change),
  ];
}

/** A status, what it was before, and the conditions that hold in each. */
interface Change {
  readonly status: JsonObject;
  readonly before: JsonObject;
  readonly spec: JsonObject;
  readonly has: ReadonlySet<string>;
  readonly had: ReadonlySet<string>;
}

function hasConditions(status: JsonObject): ReadonlySet<string> {
  const isTrue = objectsField(status, "conditions").filter((condition) => stringField(condition, "status") === "True");
  const types = new Set(isTrue.map((condition) => stringField(condition, "type")));
  return types.has("Complete") || types.has("Failed") ? types.add(finished) : types;
}

/** Stands for either of the conditions with which a job ends. */
const finished = "finished";

/** Whether one of these fields has changed, or whether one of these conditions holds. */
function isTouched({ status, before, has: now, had }: Change, fields: readonly string[], conditions: readonly string[] = []): boolean {
  const [present, past] = [countedFrom(status), countedFrom(before)];
  return fields.some((name) => !isUnchanged(present, past, name)) || conditions.some((type) => now.has(type) !== had.has(type));
}

/** A status where none is told from zero only where Go tells them apart. */
function countedFrom(status: JsonObject): JsonObject {
  return { ...status, active: numberField(status, "active") ?? 0, completedIndexes: stringField(status, "completedIndexes") };
}

function validateUncounted(pods: JsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return ["succeeded", "failed"].flatMap((name) =>
    stringsField(pods, name).flatMap((uid, index) => {
      const at = path.child("uncountedTerminatedPods", name).index(index);
      if (uid === "") return [invalidValue(at, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

/** Which conditions may stand together, and what they say of when the job was complete. */
function validateOutcome(change: Change): readonly FieldError[] {
  const { status, has: now } = change;
  const [start, completion] = [stringField(status, "startTime"), stringField(status, "completionTime")];
  const at = path.child("completionTime");
  const isComplete = now.has("Complete");
  const errors = [
    ...together(change, ["Complete", "Failed"], "cannot set Complete=True and Failed=true conditions"),
    ...together(change, ["Complete", "FailureTarget"], "cannot set Complete=True and FailureTarget=true conditions"),
  ];
  if (isTouched(change, ["completionTime"], ["Complete"])) {
    if (completion !== "" && !isComplete)
      errors.push(invalidValue(at, completion, "cannot set completionTime when there is no Complete=True condition"));
    if (completion === "" && isComplete) errors.push(required(at, "completionTime is required for Complete jobs"));
  }
  if (isTouched(change, ["startTime", "completionTime"]) && start !== "" && completion !== "" && completion < start)
    errors.push(invalidValue(at, completion, "must be equal to or after `startTime`"));
  if (isTouched(change, ["failedIndexes"], ["Failed"]) && now.has("Failed") && !now.has("FailureTarget")) {
    errors.push(omitted(conditionsPath, "cannot set Failed=True condition without the FailureTarget=true condition"));
  }
  if (isTouched(change, [], ["Complete", "SuccessCriteriaMet"]) && isComplete && !now.has("SuccessCriteriaMet")) {
    errors.push(omitted(conditionsPath, "cannot set Complete=True condition without the SuccessCriteriaMet=true condition"));
  }
  return errors;
}

/** Conditions of which one at most may hold, once one of them comes or goes. */
function together(change: Change, types: readonly [string, string], rule: string): readonly FieldError[] {
  return isTouched(change, [], types) && types.every((type) => change.has.has(type)) ? [omitted(conditionsPath, rule)] : [];
}

function validateFinished(change: Change): readonly FieldError[] {
  const { status, spec, has: now } = change;
  if (!now.has(finished)) return [];
  const active = numberField(status, "active") ?? 0;
  const uncounted = objectField(status, "uncountedTerminatedPods");
  const left = stringsField(uncounted, "succeeded").length + stringsField(uncounted, "failed").length;
  const isSuspendedForNothing = booleanField(spec, "suspend") && numberField(spec, "completions") === 0;
  const errors: FieldError[] = [];
  if (isTouched(change, ["active"], [finished]) && active > 0)
    errors.push(invalidValue(path.child("active"), active, "active>0 is invalid for finished job"));
  if (isTouched(change, ["startTime"], [finished]) && !has(status, "startTime") && !isSuspendedForNothing)
    errors.push(required(path.child("startTime"), "startTime is required for finished job"));
  if (left === 0 || !isTouched(change, ["uncountedTerminatedPods"], [finished])) return errors;
  const shown = internalForm("batch.v1.UncountedTerminatedPods", uncounted);
  return [...errors, invalidValue(path.child("uncountedTerminatedPods"), shown, "must be empty for finished job")];
}

function validateIndexes(change: Change): readonly FieldError[] {
  const { status, spec } = change;
  const completions = numberField(spec, "completions");
  const [completed, failed] = [stringField(status, "completedIndexes"), stringField(status, "failedIndexes")];
  const [completedPath, failedPath] = [path.child("completedIndexes"), path.child("failedIndexes")];
  const [isCompletedTouched, isFailedTouched] = [isTouched(change, ["completedIndexes"]), isTouched(change, ["failedIndexes"])];
  const isPerIndex = has(spec, "backoffLimitPerIndex");
  const errors: FieldError[] = [];
  const parse = (text: string, at: FieldPath, name: string): void => {
    const ranges = parseIndexRanges(text, completions ?? 0);
    if (ranges.type === "Problem") errors.push(invalidValue(at, text, `error parsing ${name}: ${ranges.problem}`));
  };
  if (isCompletedTouched && completions !== undefined) parse(completed, completedPath, "completedIndexes");
  if (isFailedTouched && completions !== undefined && isPerIndex && has(status, "failedIndexes"))
    parse(failed, failedPath, "failedIndexes");
  if (isCompletedTouched && completed !== "" && !isIndexed(spec))
    errors.push(invalidValue(completedPath, completed, "cannot set non-empty completedIndexes when non-indexed completion mode"));
  if (isFailedTouched && !isPerIndex && has(status, "failedIndexes"))
    errors.push(invalidValue(failedPath, failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
  if ((!isCompletedTouched && !isFailedTouched) || completions === undefined || completed === "" || failed === "") return errors;
  const common = commonIndex(completed, failed, completions);
  if (common !== undefined) errors.push(invalidValue(failedPath, failed, `failedIndexes and completedIndexes overlap at index: ${common}`));
  return errors;
}

function validateRest(change: Change): readonly FieldError[] {
  const { status, spec, has: now } = change;
  const [active = 0, ready = 0, terminating = 0] = ["active", "ready", "terminating"].map((name) => numberField(status, name) ?? 0);
  const isEarly = has(spec, "successPolicy") && now.has("Complete") && !now.has("SuccessCriteriaMet");
  // Of these the server holds even what was so before.
  const excluding = ["Failed", "FailureTarget"].filter((type) => now.has("SuccessCriteriaMet") && now.has(type));
  return [
    ...(isTouched(change, ["terminating"], [finished]) && now.has(finished) && terminating > 0
      ? [invalidValue(path.child("terminating"), terminating, "terminating>0 is invalid for finished job")]
      : []),
    ...(isTouched(change, ["ready", "active"]) && ready > active
      ? [invalidValue(path.child("ready"), ready, "cannot set more ready pods than active")]
      : []),
    ...excluding.map((type) => omitted(conditionsPath, `cannot set SuccessCriteriaMet=True and ${type}=true conditions`)),
    ...(isEarly ? [omitted(conditionsPath, "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True")] : []),
  ];
}

/** What may not be taken back. */
function validateProgress({ status, before, spec, has: now, had }: Change): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (had.has(type) && !now.has(type)) errors.push(omitted(conditionsPath, `cannot disable the terminal ${type}=True condition`));
  }
  const isElastic = isIndexed(spec) && numberField(spec, "completions") === numberField(spec, "parallelism");
  for (const name of isElastic ? ["failed"] : ["failed", "succeeded"]) {
    const count = numberField(status, name) ?? 0;
    if (count < (numberField(before, name) ?? 0)) errors.push(invalidValue(path.child(name), count, `cannot decrease the ${name} counter`));
  }
  errors.push(...validateTimeChange({ status, before, spec, has: now, had }));
  if (had.has("SuccessCriteriaMet") && !now.has("SuccessCriteriaMet")) {
    errors.push(omitted(conditionsPath, "cannot disable the SuccessCriteriaMet=True condition"));
  }
  if (had.has("Complete") && !had.has("SuccessCriteriaMet") && now.has("SuccessCriteriaMet")) {
    errors.push(omitted(conditionsPath, "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"));
  }
  return errors;
}

function validateTimeChange({ status, before, spec, had }: Change): readonly FieldError[] {
  const isChanged = (name: string): boolean => has(before, name) && !isUnchanged(status, before, name);
  const isSaidResumed = objectsField(status, "conditions").some(
    (condition) => stringField(condition, "type") === "Suspended" && stringField(condition, "status") === "False",
  );
  const isResuming = had.has("Suspended") && isSaidResumed;
  const isMoved = has(status, "completionTime") && isChanged("completionTime");
  const isRestarted = isChanged("startTime") && !booleanField(spec, "suspend") && !isResuming;
  return [
    ...(isMoved ? [invalidValue(path.child("completionTime"), field(status, "completionTime"), "field is immutable")] : []),
    ...(isRestarted
      ? [invalidValue(path.child("startTime"), field(status, "startTime"), "field is immutable for unsuspended job once set")]
      : []),
  ];
}
