import { Composer, LineCounter, Parser, isMap, isScalar, isSeq, visit } from "yaml";
import type { Document, Node } from "yaml";
import type { JsonValue } from "@kaji/core";
import { parseJson, stringifyJson } from "@kaji/core";
import type { DuplicateField, ParsedBody } from "./parsed-body.ts";
import { parseStrictJson } from "./strict-json.ts";
import { kubernetesScalars } from "./yaml-scalars.ts";

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
  const lines = new LineCounter();
  const document = firstDocument(text, lines);
  const [error] = document?.errors ?? [];
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw new Error(error.message.includes("call stack") ? tooDeep : `yaml: line ${line}: ${error.message}`);
  }
  if (document !== undefined) refuseManyAliases(document);
  const duplicates: DuplicateField[] = [];
  if (document !== undefined && document.contents !== null) collectDuplicates(document.contents, "", lines, duplicates);
  // Through JSON, so that integers become numbers where they fit.
  const value: JsonValue = parseJson(stringifyJson(document?.toJS({ maxAliasCount: 100 }) ?? null));
  return { value, duplicates };
}

/** The first document, whatever follows it, and only up to where it goes wrong: a text that is all errors would take seconds to the last of them. */
function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  using _stackless = withoutStacks();
  const composer = new Composer({
    version: "1.1",
    uniqueKeys: false,
    intAsBigInt: true,
    merge: true,
    logLevel: "silent",
    customTags: kubernetesScalars,
  });
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    for (const document of composer.next(token)) return document;
    if (token.type === "error") break;
  }
  for (const document of composer.end(true, text.length)) return document;
  return undefined;
}

/** Within a document the parser makes an error of each fault, of which none but the first is told: their stacks would cost more than the parsing. */
function withoutStacks(): Disposable {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  return { [Symbol.dispose]: () => void (Error.stackTraceLimit = stackTraceLimit) };
}

/** The parser looks for each among all that has an anchor, so that many take the square of their number. */
const mostAliases = 1000;

function refuseManyAliases(document: Document.Parsed): void {
  let count = 0;
  visit(document, { Alias: () => (++count > mostAliases ? visit.BREAK : undefined) });
  if (count > mostAliases) throw new Error("yaml: document contains excessive aliasing");
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
