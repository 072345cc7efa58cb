import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { compareGoStrings, formatGo, quote } from "@kaji/core/go";

/**
 * JSON byte for byte as the real server writes it into strings that are compared or kept: fields sorted,
 * and the characters that HTML could take for mark-up escaped.
 */
export function goJson(value: JsonValue): string {
  return escapeHtml(stringifyJson(sorted(value)));
}

/** A value as Go's `%#v` prints it: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isJsonObject(value)) return typeof value === "string" ? quote(value) : formatGo(value);
  return `map[string]interface {}{${fieldsOf(value, (name, field) => `${quote(name)}:${goSyntax(field)}`).join(", ")}}`;
}

const htmlCharacters = /[<>&\u2028\u2029]/g;

function escapeHtml(json: string): string {
  return json.replace(htmlCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted);
  return isJsonObject(value) ? Object.fromEntries(fieldsOf(value, (name, field) => [name, sorted(field)] as const)) : value;
}

function fieldsOf<T>(object: JsonObject, render: (name: string, field: JsonValue) => T): T[] {
  const names = Object.keys(object).toSorted(compareGoStrings);
  return names.flatMap((name) => (object[name] === undefined ? [] : [render(name, object[name])]));
}
