import { LineCounter, parseDocument, isMap, isScalar, isSeq } from "yaml";
import type { Node } from "yaml";
import type { JsonValue } from "@kaji/core";
import { parseJson, stringifyJson } from "@kaji/core";
import type { DuplicateField, ParsedBody } from "./parsed-body.ts";
import { parseStrictJson } from "./strict-json.ts";

/** Parses YAML 1.1, as Kubernetes does, and finds the fields that were given more than once. */
export function parseStrictYaml(text: string): ParsedBody {
  return parseAsJson(text) ?? parseAsYaml(text);
}

/** JSON is YAML, and most of what is called YAML is JSON, which is read much faster. Undefined when it is not, or its author must hear of lines. */
function parseAsJson(text: string): ParsedBody | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const parsed = parseStrictJson(text);
    return parsed.duplicates.length === 0 ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function parseAsYaml(text: string): ParsedBody {
  if (isTooDeep(text)) throw new Error(tooDeep);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    version: "1.1",
    uniqueKeys: false,
    intAsBigInt: true,
    merge: true,
    lineCounter,
    logLevel: "silent",
  });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(error.message.includes("call stack") ? tooDeep : `yaml: ${error.message}`);
  const duplicates: DuplicateField[] = [];
  if (document.contents !== null) collectDuplicates(document.contents, "", lineCounter, duplicates);
  // Through JSON, so that integers become numbers where they fit, and dates and binaries text.
  const value: JsonValue = parseJson(stringifyJson(document.toJS({ maxAliasCount: 100 }) ?? null));
  return { value, duplicates };
}

const tooDeep = "yaml: exceeded max depth of 10000";

/** What is nested this deep would be refused after the parser has spent a long time on it. */
const deepest = 1000;
const compactNesting = new RegExp(`^(?:[ ]*[-?:] ){${deepest}}`, "m");

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    // The brackets of sequences and maps differ in one bit.
    const code = text.charCodeAt(at) | 0x20;
    if (code === 0x7b && ++depth > deepest) return true;
    if (code === 0x7d && depth > 0) depth--;
  }
  return compactNesting.test(text);
}

function collectDuplicates(node: Node, path: string, lines: LineCounter, found: DuplicateField[]): void {
  if (isSeq<Node>(node)) node.items.forEach((item, index) => collectDuplicates(item, `${path}[${index}]`, lines, found));
  if (!isMap<Node, Node | null>(node)) return;
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    const where = path === "" ? name : `${path}.${name}`;
    if (seen.has(name)) {
      const { line } = lines.linePos(key.range?.[0] ?? 0);
      found.push({ path: where, complaint: `line ${line}: key ${JSON.stringify(name)} already set in map` });
    }
    seen.add(name);
    if (value !== null) collectDuplicates(value, where, lines, found);
  }
}
