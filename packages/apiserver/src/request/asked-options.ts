import type { JsonObject, JsonValue } from "@kaji/core";
import type { QueryOption } from "../subresource.ts";
import { isTrue } from "./request-info.ts";
import { parseInteger } from "./write-options.ts";

/** What a query asks for, as fields of an object; what is empty or false is absent. */
export function askedOptions(options: readonly QueryOption[], query: URLSearchParams): JsonObject {
  const fields = options.map(({ name, type, isList = false }): readonly [string, JsonValue | undefined] => {
    const values = query.getAll(name).map((text) => valueOf(type, text));
    return [name, isList && values.length > 0 ? values : values[0]];
  });
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (value === undefined || value === "" || value === false ? [] : [[name, value]])),
  );
}

function valueOf(type: QueryOption["type"], text: string): JsonValue {
  if (type === "boolean") return isTrue(text);
  return type === "integer" && text !== "" ? parseInteger(text) : text;
}
