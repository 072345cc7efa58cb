import { Document, isNode, visit } from "yaml";
import { reasonsOf } from "./rule-reasons.ts";

/** Objects as one stream of YAML documents: the same objects give the same bytes. */
export function yamlStream(objects: readonly object[]): string {
  return objects.map(yamlDocument).join("---\n");
}

/** One object as YAML, its type and metadata first, as people write it. Rules of a role say why they are there. */
export function yamlDocument(object: object): string {
  // Kubernetes reads YAML 1.1, where `no` and `0777` are not what they seem: such strings are quoted.
  const document = new Document(inReadingOrder(object), { version: "1.1", aliasDuplicateObjects: false });
  if ("rules" in object && Array.isArray(object.rules)) explain(document, object.rules);
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && misread.test(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0, directives: false }).replaceAll(lineBreaks, escapeOf);
}

/** Ends of lines that YAML 1.1 knows beside the usual ones. They are in nothing but what is quoted, where an escape can stand for them. */
const lineBreaks = /[\u0085\u2028\u2029]/g;

/** What the reader of Kubernetes, which is written in Go, makes something else of: numbers as Go has them, and how lines begin and end. */
const misread = new RegExp(String.raw`^[-+]?0[bBoOxX]|^\s*\t|${lineBreaks.source}`);

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function explain(document: Document, rules: readonly unknown[]): void {
  for (const [index, rule] of rules.entries()) {
    const node = document.getIn(["rules", index], true);
    const why = reasonsOf(rule);
    if (isNode(node) && why.length > 0) node.commentBefore = why.map((reason) => ` ${reason}`).join("\n");
  }
}

function inReadingOrder(object: object): object {
  if (!("apiVersion" in object) || !("kind" in object)) return object;
  const { apiVersion, kind, ...rest } = object;
  return { apiVersion, kind, ...rest };
}
