import { dynType, schemaType } from "@kaji/cel";
import type { JsonSchema, Type } from "@kaji/cel";
import { isJsonArray, isJsonObject, objectAt } from "@kaji/core";
import type { GroupVersionKind, JsonObject, JsonValue } from "@kaji/core";

/** The type that expressions see the objects of a kind as, by an OpenAPI v3 document; undefined when the document does not define the kind. */
export function publishedType(document: JsonObject, kind: GroupVersionKind): Type | undefined {
  const schemas = objectAt(document, "components", "schemas");
  const [name] = Object.entries(schemas).find(([, schema]) => isOfKind(schema, kind)) ?? [];
  if (name === undefined) return undefined;
  const schema = new PublishedSchemas(schemas).read(objectAt(schemas, name), new Set([name]));
  return schemaType(schema, namesItself(schema) ? "part" : "resource", kind.kind) ?? dynType;
}

const referencePrefix = "#/components/schemas/";

/** The schemas of a document, without their references to one another. */
class PublishedSchemas {
  readonly #schemas: JsonObject;

  constructor(schemas: JsonObject) {
    this.#schemas = schemas;
  }

  /** A schema in which what is referred to is in the place of the reference. One that is inside of itself has no fields there. */
  read(schema: JsonObject, open: ReadonlySet<string>): JsonSchema {
    const name = referenceOf(schema);
    if (name === undefined) return this.#readOwn(schema, open);
    return open.has(name) ? { type: "object" } : this.#readOwn(objectAt(this.#schemas, name), new Set([...open, name]));
  }

  #readOwn(schema: JsonObject, open: ReadonlySet<string>): JsonSchema {
    const { type, format, properties, additionalProperties: additional, items } = schema;
    const fields = isJsonObject(properties)
      ? Object.fromEntries(
          Object.entries(properties).flatMap(([name, each]) => (isJsonObject(each) ? [[name, this.read(each, open)]] : [])),
        )
      : undefined;
    const result: JsonSchema = {
      ...(typeof type === "string" ? { type } : {}),
      ...(typeof format === "string" ? { format } : {}),
      ...(fields === undefined ? {} : { properties: fields }),
      ...(isJsonObject(additional) ? { additionalProperties: this.read(additional, open) } : {}),
      ...(isJsonObject(items) ? { items: this.read(items, open) } : {}),
      // Built-in kinds say it by the format, custom ones by the extension.
      "x-kubernetes-int-or-string": format === "int-or-string" || schema["x-kubernetes-int-or-string"] === true,
    };
    const isEmbedded = schema["x-kubernetes-embedded-resource"] === true && !namesItself(result);
    return isEmbedded ? { ...result, "x-kubernetes-embedded-resource": true } : result;
  }
}

/** Whether a schema declares all that every object has, so that nothing need be added. */
function namesItself({ properties = {} }: JsonSchema): boolean {
  const { apiVersion, kind, metadata } = properties;
  const isText = (schema: JsonSchema | undefined): boolean => schema?.type === "string";
  return isText(apiVersion) && isText(kind) && isText(metadata?.properties?.["name"]) && isText(metadata?.properties?.["generateName"]);
}

/** The name that a schema refers to. A reference with a default or a description of its own is the only one of an `allOf`. */
function referenceOf({ $ref: reference, allOf }: JsonObject): string | undefined {
  if (typeof reference === "string" && reference.startsWith(referencePrefix)) return reference.slice(referencePrefix.length);
  if (!isJsonArray(allOf)) return undefined;
  return allOf.map((each) => (isJsonObject(each) ? referenceOf(each) : undefined)).find((name) => name !== undefined);
}

function isOfKind(schema: JsonValue | undefined, { group, version, kind }: GroupVersionKind): boolean {
  const kinds = isJsonObject(schema) ? schema["x-kubernetes-group-version-kind"] : undefined;
  const isIt = (each: JsonValue): boolean =>
    isJsonObject(each) && each["group"] === group && each["version"] === version && each["kind"] === kind;
  return isJsonArray(kinds) && kinds.some(isIt);
}
