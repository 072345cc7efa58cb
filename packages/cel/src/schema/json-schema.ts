/** The part of a structural schema that decides on the types of values. */
export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
}

/** What a schema is about: a part of an object, or an object of its own with a type and metadata. */
export type SchemaRole = "part" | "resource";

/** How the value of a schema stands in what holds it. */
export function roleOf(schema: JsonSchema): SchemaRole {
  return schema["x-kubernetes-embedded-resource"] === true ? "resource" : "part";
}

/** The declared fields; those of a resource are declared whatever its schema says, and of its metadata only the name is. */
export function propertiesOf({ properties }: JsonSchema, role: SchemaRole): ReadonlyMap<string, JsonSchema> | undefined {
  if (role === "part") return properties === undefined ? undefined : new Map(Object.entries(properties));
  return new Map(Object.entries({ ...properties, ...resourceProperties }));
}

/** The schema of entries that are not declared. */
export function additionalOf({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** The schema of the items of a list. */
export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return items === undefined || isList(items) ? undefined : items;
}

const text: JsonSchema = { type: "string" };

const resourceProperties: Readonly<Record<string, JsonSchema>> = {
  apiVersion: text,
  kind: text,
  metadata: { type: "object", properties: { name: text, generateName: text } },
};

function isList(items: JsonSchema | readonly JsonSchema[]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}
