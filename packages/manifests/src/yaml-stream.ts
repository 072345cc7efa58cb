import { Document, isNode } from "yaml";
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
  return document.toString({ lineWidth: 0, directives: false });
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
