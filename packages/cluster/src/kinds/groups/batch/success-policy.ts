import { invalidValue, required, tooLong, tooMany } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { eachItem, nonNegative } from "../../field-rules.ts";
import { has, numberField, objectField, objectsField, stringField } from "../../json-fields.ts";
import { parseIndexRanges } from "./index-ranges.ts";

const mostRules = 20;
const longestIndexes = 64 * 1024;

/** What is wrong with when an Indexed job has succeeded. */
export function validateSuccessPolicy(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const rules = objectsField(objectField(spec, "successPolicy"), "rules");
  const at = path.child("rules");
  const completions = numberField(spec, "completions") ?? 0;
  return [
    ...(rules.length === 0 ? [required(at, "at least one rules must be specified when the successPolicy is specified")] : []),
    ...(rules.length > mostRules ? [tooMany(at, rules.length, mostRules)] : []),
    ...eachItem(rules, at, (rule, rulePath) => validateRule(rule, rulePath, completions)),
  ];
}

function validateRule(rule: JsonObject, path: FieldPath, completions: number): readonly FieldError[] {
  const hasIndexes = has(rule, "succeededIndexes");
  const count = numberField(rule, "succeededCount");
  const errors: FieldError[] = [];
  if (count === undefined && !hasIndexes)
    errors.push(required(path, "at least one of succeededCount or succeededIndexes must be specified"));
  const indexes = stringField(rule, "succeededIndexes");
  const ranges = parseIndexRanges(indexes, completions);
  const indexesPath = path.child("succeededIndexes");
  if (Buffer.byteLength(indexes) > longestIndexes) errors.push(tooLong(indexesPath, longestIndexes));
  if (ranges.type === "Problem") errors.push(invalidValue(indexesPath, indexes, `error parsing succeededIndexes: ${ranges.problem}`));
  if (count === undefined) return errors;
  const countPath = path.child("succeededCount");
  errors.push(...nonNegative(rule, "succeededCount", path));
  if (count > completions)
    errors.push(invalidValue(countPath, count, `must be less than or equal to ${completions} (the number of specified completions)`));
  const total = ranges.type === "Ranges" ? ranges.count : 0;
  if (hasIndexes && count > total) {
    errors.push(
      invalidValue(
        countPath,
        count,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      ),
    );
  }
  return errors;
}
