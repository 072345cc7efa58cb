import { ErrorValue, MadeObject, itemsOf, toJson } from "@kaji/cel";
import type { Bindings, Value } from "@kaji/cel";
import { PatchError, applyJsonPatch, isJsonObject, jsonOf, objectOf } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { formatGoKind } from "@kaji/core/go";
import { atomicParts } from "../apply/atomic-parts.ts";
import { merge } from "../apply/merge.ts";
import { deducedSchema } from "../apply/merge-schema.ts";
import type { MergeSchema } from "../apply/merge-schema.ts";
import { MergeSchemaError, validate } from "../apply/validate.ts";
import { DecodeError } from "../object-schema.ts";
import { internalError } from "../webhooks/webhook-refusal.ts";
import type { ReviewTarget } from "../webhooks/review-target.ts";
import { decodedOptions } from "./connection-options.ts";
import type { ExpressionSubject } from "./expression-bindings.ts";
import { policyBudget, runExpressions } from "./expression-run.ts";
import type { PolicyVariables } from "./expression-run.ts";
import type { Mutation } from "./mutating-policy.ts";

/** A change that cannot be made; counts by the failure policy. */
export class MutationFailure extends Error {
  override readonly name = "MutationFailure";
}

/** The object of a write after one change, with defaults for what the change left open. */
export function mutated(
  { type, expression }: Mutation,
  variables: PolicyVariables,
  bindings: Bindings,
  seen: ExpressionSubject,
): DynamicObject {
  const { object, target } = seen;
  if (expression.type === "Faulty") throw new MutationFailure(expression.problem);
  const run = runExpressions([expression], variables, bindings, policyBudget);
  if (run.type === "OutOfBudget") throw new MutationFailure(run.message);
  const [outcome] = run.outcomes;
  if (outcome?.type !== "Value") throw new MutationFailure(outcome?.message);
  const before = jsonOf(object ?? {});
  const after = type === "JSONPatch" ? patched(before, outcome.value, seen) : merged(before, outcome.value, seen);
  return isWhole(target) ? (target.served.version.strategy.default?.(after) ?? after) : after;
}

/** Whether objects of the kind itself are written, rather than of a subresource's own. */
function isWhole({ kind, served }: ReviewTarget): boolean {
  return kind.kind === served.kind.kind;
}

function patched(before: JsonValue, operations: Value, seen: ExpressionSubject): DynamicObject {
  const patch = listItems(operations).map(operationOf);
  let after: JsonValue;
  try {
    after = applyJsonPatch(before, patch);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // A test that fails only says that there is nothing to do.
    if (error.message.endsWith(": test failed")) return objectOf(before);
    throw new MutationFailure(`JSON Patch: ${error.message}`);
  }
  return decoded(after, seen);
}

/** What was changed, as it would be read from a request. */
function decoded(after: JsonValue, { target, subject }: ExpressionSubject): DynamicObject {
  const { kind, version } = target.served;
  try {
    if (subject.operation === "CONNECT") return decodedOptions(after, target.kind.kind, version.subresources[subject.subresource]);
    if (!isWhole(target)) return objectOf(after);
    const { object, unknownFields } = version.schema.decode(after);
    // Objects of custom kinds are read as they are, and pruned later.
    if (unknownFields.length === 0 || kind.isCustom) return object;
    throw internalError(`strict decoding error: ${unknownFields.map((field) => `unknown field "${field}"`).join(", ")}`);
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error;
  }
}

/** An operation in JSON. The value of one that has none stays absent. */
function operationOf(operation: Value): JsonObject {
  if (!(operation instanceof MadeObject))
    throw new MutationFailure("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
  const value = operation.find("value");
  checkTypeNames(value);
  const json = toJson(operation);
  if (json instanceof ErrorValue) {
    throw new MutationFailure(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${json.message}`);
  }
  return { op: "", path: "", ...(isJsonObject(json) ? json : {}) };
}

function merged(before: JsonValue, configuration: Value, seen: ExpressionSubject): DynamicObject {
  const { target, subject } = seen;
  checkTypeNames(configuration);
  const json = toJson(configuration);
  if (json instanceof ErrorValue) throw new MutationFailure(json.message);
  if (!isJsonObject(json) || !isJsonObject(before)) throw new MutationFailure("invalid return type");
  // The server publishes no schema of what clients want to be joined to.
  if (subject.operation === "CONNECT") throw new MutationFailure(`${unfitting}: no corresponding type for ${formatGoKind(target.kind)}`);
  const schema: MergeSchema = isWhole(target) ? target.served.version.mergeSchema : deducedSchema;
  const { apiVersion = "", kind = "" } = before;
  const config = { ...json, apiVersion, kind };
  fitting("failed to convert patch object to typed object", () => validate(config, schema, { duplicates: "refused" }));
  const atomic = atomicParts(config, schema);
  if (atomic.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomic.join(", ")}`;
    throw new MutationFailure(`error applying patch: invalid ApplyConfiguration: ${why}`);
  }
  fitting("failed to convert original object to typed object", () => validate(before, schema, { duplicates: "allowed" }));
  return decoded(merge(before, config, schema), seen);
}

const unfitting = "error applying patch: failed to convert patch object to typed object";

function fitting(failure: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof MergeSchemaError ? new MutationFailure(`error applying patch: ${failure}: ${error.message}`) : error;
  }
}

/** Objects inside of an object are of the types that their fields name: `Object.spec` has a field `template` of `Object.spec.template`. */
function checkTypeNames(value: Value | undefined): void {
  if (!(value instanceof MadeObject)) return;
  const problems = typeNameProblems(value, value.typeName);
  if (problems.length > 0) throw new MutationFailure(`type mismatch: ${problems.join("\n")}`);
}

function typeNameProblems(value: Value, expected: string): readonly string[] {
  if (value instanceof MadeObject) {
    const { typeName } = value;
    const isWrong = typeName !== expected;
    const problem = `unexpected type name "${typeName}", expected "${expected}", which matches field name path from root Object type`;
    const inside = value.keys().flatMap((key) => typeNameProblems(value.find(key) ?? null, `${expected}.${key}`));
    return isWrong ? [problem, ...inside] : inside;
  }
  if (typeof value !== "object" || value === null || !("kind" in value)) return [];
  if (value.kind === "list") return itemsOf(value).flatMap((item) => typeNameProblems(item, expected));
  return value.kind === "map" ? value.keys().flatMap((key) => typeNameProblems(value.find(key) ?? null, expected)) : [];
}

function listItems(value: Value): readonly Value[] {
  if (typeof value === "object" && value !== null && "kind" in value && value.kind === "list") return itemsOf(value);
  throw new MutationFailure("type mismatch: JSONPatchType.expression should evaluate to array");
}
