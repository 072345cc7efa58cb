import { badRequest } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { isTrue } from "@kaji/core/serving";
import type { QueryOption } from "../subresource.ts";
import { parseInteger } from "./write-options.ts";

/** What a query asks for, as fields of an object; what is empty or false is absent. */
export function askedOptions(options: readonly QueryOption[], query: URLSearchParams): JsonObject {
  const fields = options.map(({ name, type, isList = false }): readonly [string, JsonValue | undefined] => {
    const texts = query.getAll(name);
    if (!isList) return [name, texts[0] === undefined ? undefined : valueOf(type, texts[0])];
    const values = type === "integer" ? texts.flatMap((text) => text.split(",").map(parsePort)) : texts.map((text) => valueOf(type, text));
    return [name, values.length > 0 ? values : undefined];
  });
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (value === undefined || value === "" || value === false ? [] : [[name, value]])),
  );
}

function valueOf(type: QueryOption["type"], text: string): JsonValue {
  if (type === "boolean") return isTrue(text);
  return type === "integer" && text !== "" ? parseInteger(text) : text;
}

/** As Go's `ParseUint` of 16 bits; a 400 with its words for what is none. Lists of integers are lists of ports. */
function parsePort(text: string): number {
  const refused = (why: string): Error =>
    badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^\d+$/.test(text)) throw refused("invalid syntax");
  if (Number(text) >= 2 ** 16) throw refused("value out of range");
  return Number(text);
}
