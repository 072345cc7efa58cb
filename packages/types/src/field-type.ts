import type { FieldType, LeafType } from "@kaji/core/protobuf";

/**
 * Reads a type as the table writes it: `string`, `core.v1.PodSpec`, `[]string`, `{}quantity`,
 * `<>string` for a list that is a message of its own, `schemaOrBool STRUCT` for a schema or a boolean.
 */
export function parseFieldType(text: string): FieldType {
  const rest = text.slice(2);
  if (text.startsWith("[]")) return { type: "list", items: parseFieldType(rest), wrapped: false };
  if (text.startsWith("<>")) return { type: "list", items: parseFieldType(rest), wrapped: true };
  if (text.startsWith("{}")) return { type: "map", values: parseFieldType(rest) };
  const [name = "", schema] = text.split(" ");
  if (schema !== undefined) return { type: name as "schemaOrArray" | "schemaOrBool" | "schemaOrStrings", schema };
  return text.includes(".") ? { type: "struct", name: text } : { type: text as LeafType };
}
