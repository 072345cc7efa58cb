import { isJsonArray, isJsonObject, mapArray, mapFields, RecentMap } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import type { FieldType } from "@kaji/core/protobuf";
import type { FieldPlan, StructPlan, StructPlans } from "./struct-plan.ts";

/** Where an object is on its way to: JSON leaves some empty lists and maps out, storage tells none of them from those that are not there. */
export type Destination = "json" | "storage";

/**
 * Takes the empty lists and maps out of an object that was read into a Go struct. In memory Go tells them from none, and what defaults, prepares
 * and validates the object sees the difference; it ends where the object is written. What has none is returned as it is.
 */
export class EmptyParts {
  readonly #plans: StructPlans;
  /** Parts of objects in which there was nothing to take out, by the field they are in: most writes leave most of an object as it is. */
  readonly #clean: Readonly<Record<Destination, RecentMap<object, FieldPlan>>> = { json: new RecentMap(128), storage: new RecentMap(128) };

  constructor(plans: StructPlans) {
    this.#plans = plans;
  }

  /** The object of a struct as it is written. */
  removed(object: JsonObject, struct: string, destination: Destination): JsonObject {
    return this.#struct(object, this.#plans.get(struct), destination, this.#clean[destination]);
  }

  /**
   * An object as it was before, with empty lists and maps where it had none and the present one has them empty, so that those make no
   * difference to who compares the two.
   */
  matched(before: JsonObject, present: JsonObject, struct: string): JsonObject {
    return this.#matchedStruct(before, present, this.#plans.get(struct));
  }

  #matchedStruct(before: JsonObject, present: JsonObject, plan: StructPlan): JsonObject {
    const result: Record<string, JsonValue | undefined> = { ...before };
    for (const { name, type, isPointer } of plan.fields) {
      const [old, part] = [before[name] ?? undefined, present[name] ?? undefined];
      if (part === undefined) continue;
      if (old !== undefined) result[name] = this.#matchedValue(old, part, type);
      else if (!isPointer && (type.type === "list" || type.type === "map") && isEmpty(part)) result[name] = part;
    }
    return result;
  }

  #matchedValue(before: JsonValue, present: JsonValue, type: FieldType): JsonValue {
    if (type.type === "list" && isJsonArray(before) && isJsonArray(present)) {
      return before.map((item, index) => this.#matchedValue(item, present[index] ?? null, type.items));
    }
    if (!isJsonObject(before) || !isJsonObject(present)) return before;
    if (type.type === "struct") return this.#matchedStruct(before, present, this.#plans.get(type.name));
    if (type.type !== "map") return before;
    const entries = Object.entries(before).map(([key, value]) => [
      key,
      this.#matchedValue(value ?? null, present[key] ?? null, type.values),
    ]);
    return Object.fromEntries(entries);
  }

  #struct(object: JsonObject, plan: StructPlan, destination: Destination, clean?: RecentMap<object, FieldPlan>): JsonObject {
    let changed: Record<string, JsonValue | undefined> | undefined;
    for (const name of Object.keys(object)) {
      const part = object[name];
      if (typeof part !== "object" || part === null) continue;
      const field = plan.byName.get(name);
      if (field === undefined || clean?.get(part) === field) continue;
      const written = isEmptied(part, field, destination) ? emptied(field) : this.#value(part, field.type, destination);
      if (written === part) {
        clean?.set(part, field);
        continue;
      }
      changed ??= { ...object };
      if (written === undefined) delete changed[name];
      else changed[name] = written;
    }
    return changed ?? object;
  }

  #value(value: JsonValue, type: FieldType, destination: Destination): JsonValue {
    switch (type.type) {
      case "struct":
        return isJsonObject(value) ? this.#struct(value, this.#plans.get(type.name), destination) : value;
      case "list":
        return isJsonArray(value) && hasParts(type.items) ? mapArray(value, (item) => this.#value(item, type.items, destination)) : value;
      case "map":
        return isJsonObject(value) && hasParts(type.values)
          ? mapFields(value, (item) => this.#value(item, type.values, destination))
          : value;
      case "schemaOrArray":
      case "schemaOrBool":
      case "schemaOrStrings":
        return this.#schemaOr(value, type.schema, destination);
      default:
        return value;
    }
  }

  #schemaOr(value: JsonValue, schema: string, destination: Destination): JsonValue {
    if (isJsonArray(value)) return mapArray(value, (item) => this.#schemaOr(item, schema, destination));
    return isJsonObject(value) ? this.#struct(value, this.#plans.get(schema), destination) : value;
  }
}

function isEmptied(part: JsonArray | JsonObject, { type, whenAbsent, isPointer }: FieldPlan, destination: Destination): boolean {
  if ((type.type !== "list" && type.type !== "map") || isPointer) return false;
  if (destination === "json" && whenAbsent !== "omit") return false;
  return isEmpty(part);
}

function isEmpty(value: JsonValue): boolean {
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

function emptied({ whenAbsent }: FieldPlan): JsonValue | undefined {
  return whenAbsent === "omit" ? undefined : null;
}

/** Whether there can be a list or map in a value. */
function hasParts({ type }: FieldType): boolean {
  return type === "struct" || type === "list" || type === "map" || type.startsWith("schemaOr");
}
