import { Document } from "yaml";

/** Objects as one stream of YAML documents: the same objects give the same bytes. */
export function yamlStream(objects: readonly object[]): string {
  return objects.map(yamlDocument).join("---\n");
}

/** One object as YAML, its type and metadata first, as people write it. */
export function yamlDocument(object: object): string {
  // Kubernetes reads YAML 1.1, where `no` and `0777` are not what they seem: such strings are quoted.
  const document = new Document(inReadingOrder(object), { version: "1.1", aliasDuplicateObjects: false });
  return document.toString({ lineWidth: 0, directives: false });
}

function inReadingOrder(object: object): object {
  if (!("apiVersion" in object) || !("kind" in object)) return object;
  const { apiVersion, kind, ...rest } = object;
  return { apiVersion, kind, ...rest };
}
