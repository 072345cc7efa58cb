import { isJsonArray, isJsonObject, objectOf } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { jsonTypeOf } from "../request/body-type.ts";
import { DecodeError } from "../object-schema.ts";
import type { QueryOption, Subresource } from "../subresource.ts";
import { internalError } from "../webhooks/webhook-refusal.ts";

/** Reads the options by which a client wants to be joined to something, after they were changed: each has the type that it has in a query, and there are no others. */
export function decodedOptions(value: JsonValue, kind: string, subresource: Subresource | undefined): DynamicObject {
  const known = new Map(optionsOf(subresource).map((option) => [option.name, option]));
  const fields = Object.entries(isJsonObject(value) ? value : {}).filter(([name]) => name !== "apiVersion" && name !== "kind");
  for (const [name, field] of fields) {
    const option = known.get(name);
    if (option !== undefined && field !== undefined && !isOf(option, field)) throw new DecodeError(mismatch(kind, option, field));
  }
  const unknown = fields.filter(([name]) => !known.has(name));
  if (unknown.length === 0) return objectOf(value);
  throw internalError(`strict decoding error: ${unknown.map(([name]) => `unknown field "${name}"`).join(", ")}`);
}

/** Of a proxy it is the path below it. */
function optionsOf(subresource: Subresource | undefined): readonly QueryOption[] {
  if (subresource?.type === "Connect") return subresource.options;
  return subresource?.type === "Proxy" ? [{ name: "path", type: "string" }] : [];
}

function isOf({ type, isList = false }: QueryOption, value: JsonValue): boolean {
  const isOne = (item: JsonValue): boolean => (type === "integer" ? Number.isInteger(item) : typeof item === type);
  return value === null || (isList ? isJsonArray(value) && value.every(isOne) : isOne(value));
}

function mismatch(kind: string, { name, type, isList = false }: QueryOption, value: JsonValue): string {
  const item = { boolean: "bool", integer: "int32", string: "string" }[type];
  const wrong = isList && isJsonArray(value) ? (value.find((each) => !isOf({ name, type }, each)) ?? value) : value;
  const wanted = isList && wrong === value ? `[]${item}` : item;
  return `json: cannot unmarshal ${jsonTypeOf(wrong)} into Go struct field ${kind}.${name} of type ${wanted}`;
}
