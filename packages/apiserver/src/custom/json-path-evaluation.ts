import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonValue } from "@kaji/core";
import type { JsonPath, PathStep } from "./json-path.ts";

/** A path that does not fit a value: an index out of bounds, a comparison of a number with a text. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
}

/** What a path leads to, starting at a value. Fields that are missing lead nowhere; what does not fit is a `JsonPathError`. */
export function evaluateJsonPath(path: JsonPath, root: JsonValue): readonly JsonValue[] {
  return path.reduce<readonly JsonValue[]>((values, step) => follow(step, values), [root]);
}

function follow(step: PathStep, values: readonly JsonValue[]): readonly JsonValue[] {
  switch (step.type) {
    case "Field":
      return values.flatMap((value) => fieldOf(value, step.name));
    case "Wildcard":
      return values.flatMap(contentsOf);
    case "Recursive":
      return values.flatMap(withContents);
    case "Index":
      return values.flatMap((value) => itemAt(value, step.index));
    case "Slice":
      return values.flatMap((value) => slice(value, step));
    case "Union":
      return step.paths.flatMap((path) => path.reduce<readonly JsonValue[]>((found, next) => follow(next, found), values));
    case "Filter":
      return values.flatMap((value) => listOf(value).filter((item) => passes(step, item)));
    case "Literal":
      // Text is there whether there is a value or not.
      return typeof step.value === "string" ? [step.value] : values.map(() => step.value);
    case "Word":
      throw new JsonPathError(`unrecognized identifier ${step.word}`);
    default:
      return step satisfies never;
  }
}

function fieldOf(value: JsonValue, name: string): readonly JsonValue[] {
  const field = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return field === undefined ? [] : [field];
}

function contentsOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonArray(value)) return value;
  return isJsonObject(value) ? Object.values(value).filter((field) => field !== undefined) : [];
}

/** A value that has something in it, and whatever is in that. Text has characters in it. */
function withContents(value: JsonValue): readonly JsonValue[] {
  if (typeof value === "string" && value !== "") return [value];
  const contents = contentsOf(value);
  return contents.length === 0 ? [] : [value, ...contents.flatMap(withContents)];
}

function itemAt(value: JsonValue, index: number): readonly JsonValue[] {
  if (value === null) return [];
  const list = listOf(value);
  const item = list.at(index);
  if (item === undefined) throw new JsonPathError(`array index out of bounds: index ${index}, length ${list.length}`);
  return [item];
}

function slice(value: JsonValue, { start = 0, end, step = 1 }: Extract<PathStep, { type: "Slice" }>): readonly JsonValue[] {
  if (value === null) return [];
  const list = listOf(value);
  const from = start < 0 ? start + list.length : start;
  const to = end === undefined ? list.length : end < 0 ? end + list.length : end;
  if (from === to) return [];
  if (from < 0 || from >= list.length || to < 0 || to > list.length || from > to) {
    throw new JsonPathError(`array index out of bounds: index ${from < 0 || from >= list.length ? from : to - 1}, length ${list.length}`);
  }
  if (step <= 0) throw new JsonPathError("step must be > 0");
  return list.slice(from, to).filter((_item, index) => index % step === 0);
}

function listOf(value: JsonValue): JsonArray {
  if (!isJsonArray(value)) throw new JsonPathError("the value is not a list");
  return value;
}

function passes({ left, operator, right }: Extract<PathStep, { type: "Filter" }>, item: JsonValue): boolean {
  if (operator === "exists") return found(left, item).length > 0;
  const [one, ...others] = evaluateJsonPath(left, item);
  const [other, ...more] = one === undefined ? [] : evaluateJsonPath(right, item);
  if (one === undefined || other === undefined) return false;
  if (others.length + more.length > 0) throw new JsonPathError("can only compare one element at a time");
  return compare(one, operator, other);
}

function found(path: JsonPath, item: JsonValue): readonly JsonValue[] {
  try {
    return evaluateJsonPath(path, item);
  } catch (error) {
    if (error instanceof JsonPathError) return [];
    throw error;
  }
}

/** Numbers with numbers, texts with texts; booleans can only be equal or not. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean {
  const isEqual = operator === "==" || operator === "!=";
  const comparable = comparableType(left) === comparableType(right) && (isEqual || typeof left !== "boolean");
  if (!comparable || left === null || right === null) throw new JsonPathError("incompatible types for comparison");
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function comparableType(value: JsonValue): string | undefined {
  if (typeof value === "object") return undefined;
  if (typeof value === "string" || typeof value === "boolean") return typeof value;
  return typeof value === "bigint" || Number.isSafeInteger(value) ? "integer" : "number";
}
