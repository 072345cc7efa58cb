import { FieldPath, invalidValue, isJsonObject } from "@kaji/core";
import type { FieldError, JsonObject, JsonValue } from "@kaji/core";
import { formatGo, goType } from "@kaji/core/go";
import type { CrdScale } from "./crd.ts";

const mostReplicas = 2 ** 31 - 1;

/** A value that is not of the type a path must lead to, in the words of the real server. */
export class AccessError extends Error {
  override readonly name = "AccessError";
}

/** `.spec.replicas` → `["spec", "replicas"]`. */
export function pathNames(path: string): readonly string[] {
  return (path.startsWith(".") ? path.slice(1) : path).split(".");
}

/** The integer a path leads to; undefined when nothing is there. */
export function integerAt(object: JsonObject, path: string): number | undefined {
  const value = valueAt(object, path);
  if (value === undefined) return undefined;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw wrongType(path, value, "int64");
}

/** The text a path leads to; undefined when nothing is there. */
export function textAt(object: JsonObject, path: string): string | undefined {
  const value = valueAt(object, path);
  if (value === undefined || typeof value === "string") return value;
  throw wrongType(path, value, "string");
}

/** What is wrong with the replicas of an object, wanted and present. */
export function validateScale(object: JsonObject, scale: CrdScale | undefined): readonly FieldError[] {
  if (scale === undefined) return [];
  return [...replicaErrors(object, scale.specReplicasPath), ...validateScaleStatus(object, scale)];
}

/** What is wrong with what an object says of its present replicas. */
export function validateScaleStatus(object: JsonObject, scale: CrdScale | undefined): readonly FieldError[] {
  if (scale === undefined) return [];
  const { statusReplicasPath, labelSelectorPath = "" } = scale;
  return [...replicaErrors(object, statusReplicasPath), ...(labelSelectorPath === "" ? [] : selectorErrors(object, labelSelectorPath))];
}

function replicaErrors(object: JsonObject, path: string): readonly FieldError[] {
  const at = FieldPath.of(path);
  try {
    const replicas = integerAt(object, path) ?? 0;
    if (replicas < 0) return [invalidValue(at, replicas, "should be a non-negative integer")];
    return replicas > mostReplicas ? [invalidValue(at, replicas, `should be less than or equal to ${mostReplicas}`)] : [];
  } catch (error) {
    if (error instanceof AccessError) return [invalidValue(at, 0, error.message)];
    throw error;
  }
}

function selectorErrors(object: JsonObject, path: string): readonly FieldError[] {
  try {
    textAt(object, path);
    return [];
  } catch (error) {
    if (error instanceof AccessError) return [invalidValue(FieldPath.of(path), "", error.message)];
    throw error;
  }
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  const names = pathNames(path);
  let value: JsonValue | undefined = object;
  for (const [index, name] of names.entries()) {
    if (value === null) return undefined;
    if (!isJsonObject(value)) throw wrongType(`.${names.slice(0, index + 1).join(".")}`, value, "map[string]interface{}");
    value = Object.hasOwn(value, name) ? value[name] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

function wrongType(path: string, value: JsonValue, expected: string): AccessError {
  return new AccessError(
    `${path.startsWith(".") ? path : `.${path}`} accessor error: ${formatGo(value)} is of the type ${goType(value)}, expected ${expected}`,
  );
}
