import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { definitionOf } from "@kaji/types/tables";
import { ownPodFields } from "./manager-pod.ts";

/** A JSON schema with the definitions that its references are to. */
export interface SchemaWithDefinitions {
  readonly schema: JsonObject;
  readonly definitions: Readonly<Record<string, JsonObject>>;
}

/** The JSON schema (draft 7) of `PodOptions`. It is made of what Kubernetes publishes of its types, and strict: a field that these do not have is refused. */
export function podSchema(): SchemaWithDefinitions {
  const definitions = new Map<string, JsonObject>();
  const refer = (name: string): JsonObject => {
    if (!definitions.has(name)) {
      definitions.set(name, {});
      definitions.set(name, strictly(definitionOf(name) ?? {}, refer));
    }
    return { $ref: `#/definitions/${name}` };
  };
  const spec = definitionOf("io.k8s.api.core.v1.PodSpec")?.["properties"];
  const own: readonly string[] = ownPodFields;
  const free = Object.entries(isJsonObject(spec) ? spec : {}).filter(([name]) => !own.includes(name));
  const texts = { type: "object", additionalProperties: { type: "string" } };
  const mounts = { type: "array", items: refer("io.k8s.api.core.v1.VolumeMount") };
  const properties = { labels: texts, annotations: texts, volumeMounts: mounts, ...propertiesOf(Object.fromEntries(free), refer) };
  return { schema: { type: "object", additionalProperties: false, properties }, definitions: Object.fromEntries(definitions) };
}

type Refer = (name: string) => JsonObject;

/** What of a schema of OpenAPI says which values there may be; a struct has no other fields than its own. */
function strictly(schema: JsonObject, refer: Refer): JsonObject {
  const { $ref, allOf, type, items, required, properties, additionalProperties, oneOf, enum: values } = schema;
  if (typeof $ref === "string") return refer($ref.slice($ref.lastIndexOf("/") + 1));
  // What stands beside a reference is a default, or about patches.
  if (isJsonArray(allOf) && isJsonObject(allOf[0])) return strictly(allOf[0], refer);
  return {
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
    ...(oneOf === undefined ? {} : { oneOf }),
    ...(isJsonObject(items) ? { items: strictly(items, refer) } : {}),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: strictly(additionalProperties, refer) } : {}),
    ...(required === undefined ? {} : { required }),
    ...(isJsonObject(properties) ? { properties: propertiesOf(properties, refer), additionalProperties: false } : {}),
  };
}

function propertiesOf(properties: JsonObject, refer: Refer): JsonObject {
  const entries = Object.entries(properties).map(([name, schema]) => [name, isJsonObject(schema) ? strictly(schema, refer) : {}]);
  return Object.fromEntries(entries);
}
