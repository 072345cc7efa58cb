import { parseDocument, isMap, isScalar, isSeq } from "yaml";
import type { Node } from "yaml";
import type { JsonValue } from "@kaji/core";
import { parseJson, stringifyJson } from "@kaji/core";
import type { ParsedBody } from "./body.ts";

/** Parses YAML 1.1, as Kubernetes does, and finds the fields that were given more than once. */
export function parseStrictYaml(text: string): ParsedBody {
  const document = parseDocument(text, { version: "1.1", uniqueKeys: false, intAsBigInt: true, merge: true });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`yaml: ${error.message}`);
  const duplicates: string[] = [];
  if (document.contents !== null) collectDuplicates(document.contents, "", duplicates);
  // Through JSON, so that integers become numbers where they fit, and dates and binaries text.
  const value: JsonValue = parseJson(stringifyJson(document.toJS({ maxAliasCount: 100 }) ?? null));
  return { value, duplicates };
}

function collectDuplicates(node: Node, path: string, found: string[]): void {
  if (isSeq<Node>(node)) node.items.forEach((item, index) => collectDuplicates(item, `${path}[${index}]`, found));
  if (!isMap<Node, Node | null>(node)) return;
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    const where = path === "" ? name : `${path}.${name}`;
    if (seen.has(name) && !found.includes(where)) found.push(where);
    seen.add(name);
    if (value !== null) collectDuplicates(value, where, found);
  }
}
