import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { formatGo, goType } from "@kaji/core/go";
import { goSyntax } from "./go-json.ts";
import { itemElement, itemProblem } from "./list-items.ts";
import { formOf } from "./merge-schema.ts";
import type { ListForm, MapForm, MergeSchema, ScalarForm } from "./merge-schema.ts";
import { fieldElement, formatElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** A value does not fit its schema; the message is the real server's. */
export class MergeSchemaError extends Error {
  override readonly name = "MergeSchemaError";
}

/** Throws `MergeSchemaError` unless a value fits its schema. Lists with keys may have items twice only where it is said so. */
export function validate(value: JsonValue, schema: MergeSchema, { duplicates }: { readonly duplicates: "allowed" | "refused" }): void {
  const validator = new Validator(duplicates === "allowed");
  validator.visit(value, schema);
  const problems = validator.problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  if (problems.length === 0) return;
  throw new MergeSchemaError(
    problems.length === 1 ? problems.join("") : ["errors:", ...problems.map((problem) => `  ${problem}`)].join("\n"),
  );
}

class Validator {
  /** What is wrong so far, each with its path from the value being visited. */
  readonly problems: Array<{ path: string; readonly message: string }> = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  visit(value: JsonValue, schema: MergeSchema): void {
    switch (formOf(schema, value)) {
      case "map":
        if (isJsonObject(value) && schema.map !== undefined) this.#visitEntries(value, schema.map);
        else if (value !== null) this.#report(`expected map, got &{${formatGo(value)}}`);
        break;
      case "list":
        if (isJsonArray(value) && schema.list !== undefined) this.#visitItems(value, schema.list);
        else if (value !== null) this.#report(`expected list, got &{${formatGo(value)}}`);
        break;
      case "scalar":
        if (schema.scalar !== undefined && !fits(value, schema.scalar)) this.#report(mismatch(value, schema.scalar));
        break;
      default:
        this.#report("schema error: invalid atom: inlined");
    }
  }

  #visitEntries(value: JsonObject, map: MapForm): void {
    for (const name of Object.keys(value)) {
      const field = value[name];
      if (field === undefined) continue;
      const before = this.problems.length;
      const schema = map.field(name) ?? map.element;
      if (schema === undefined) this.#report("field not declared in schema");
      else this.visit(field, schema);
      if (this.problems.length > before) this.#prefix(before, formatElement(fieldElement(name)));
      if (schema === undefined) return;
    }
  }

  #visitItems(items: JsonArray, list: ListForm): void {
    const seen = new Set<PathElement>();
    for (const [index, item] of items.entries()) {
      const element = list.relationship === "atomic" ? undefined : itemElement(list, item);
      if (element === undefined && list.relationship !== "atomic") {
        this.#report(`element ${index}: ${itemProblem(list, item)}`);
        return;
      }
      if (element !== undefined) {
        if (seen.has(element) && !this.#allowDuplicates) this.#report(`duplicate entries for key ${formatElement(element)}`);
        seen.add(element);
      }
      const before = this.problems.length;
      this.visit(item, list.element);
      if (this.problems.length > before) this.#prefix(before, element === undefined ? `[${index}]` : formatElement(element));
    }
  }

  #report(message: string): void {
    this.problems.push({ path: "", message });
  }

  #prefix(from: number, step: string): void {
    for (const problem of this.problems.slice(from)) problem.path = step + problem.path;
  }
}

function fits(value: JsonValue, scalar: ScalarForm): boolean {
  switch (typeof value) {
    case "number":
    case "bigint":
      return scalar === "numeric" || scalar === "untyped";
    case "string":
      return scalar === "string" || scalar === "untyped";
    case "boolean":
      return scalar === "boolean" || scalar === "untyped";
    default:
      return value === null;
  }
}

function mismatch(value: JsonValue, scalar: ScalarForm): string {
  switch (scalar) {
    case "numeric":
      return `expected numeric (int or float), got ${goType(value)}`;
    case "string":
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case "boolean":
      return `expected boolean, got &{${formatGo(value)}}`;
    case "untyped":
      return `expected any scalar, got &{${formatGo(value)}}`;
  }
}
