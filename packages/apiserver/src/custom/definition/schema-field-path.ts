import { ParseError } from "@kaji/core";
import { additionalOf, propertiesOf, propertyOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/** Where a path such as `.spec.labels['app']` leads to. */
export interface SchemaField {
  /** The names on the way. */
  readonly names: readonly string[];
  /** Undefined when nothing is known of the value there. */
  readonly schema: JsonSchemaProps | undefined;
}

/** Follows a path of fields through a schema; throws a `ParseError` when it is none, or leads nowhere. */
export function resolveField(path: string, schema: JsonSchemaProps, options: { readonly brackets: "allowed" | "refused" }): SchemaField {
  const tokens = tokensOf(path);
  const names: string[] = [];
  let current: JsonSchemaProps | undefined = schema;
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token !== "[" && token !== ".") throw new ParseError(`expected [ or . but got: ${token}`);
    if (token === "[" && options.brackets === "refused") throw new ParseError("array notation is not allowed");
    const next = tokens.shift();
    if (next === undefined) throw new ParseError("unexpected end of JSON path");
    const name = token === "[" ? unquoted(next) : next;
    current = fieldOf(current, name);
    names.push(name);
    if (token !== "[") continue;
    const end = tokens.shift();
    if (end === undefined) throw new ParseError("unexpected end of JSON path");
    if (end !== "]") throw new ParseError(`expected ] but got ${end}`);
  }
  return { names, schema: current };
}

/** Dots and brackets, quoted texts, and what stands between them. */
function tokensOf(path: string): string[] {
  return path.match(/'(?:[^'\\]|\\[^])*'|[.[\]]|'[^]*$|[^.[\]]+/g) ?? [];
}

function unquoted(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
    throw new ParseError(`expected single quoted string but got ${token}`);
  return token.slice(1, -1).replaceAll(/\\(.)/g, (sequence, letter: string) => {
    const meant = escapes.get(letter);
    if (meant === undefined) throw new ParseError(`invalid string literal: invalid escape char ${sequence}`);
    return meant;
  });
}

/** What a letter after a backslash stands for. */
const escapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["'", "'"],
  ["\\", "\\"],
]);

function fieldOf(schema: JsonSchemaProps | undefined, name: string): JsonSchemaProps | undefined {
  const leadsNowhere = new ParseError("does not refer to a valid field");
  if (schema === undefined) throw leadsNowhere;
  if (propertiesOf(schema).length > 0) {
    const property = propertyOf(schema, name);
    if (property === undefined) throw leadsNowhere;
    return property;
  }
  if (schema.additionalProperties === undefined) throw leadsNowhere;
  return additionalOf(schema);
}
