/** The part of an OpenAPI schema that has a type to it. What else the server checks stays with the server. */
export interface TypeSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: TypeSchema;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TypeSchema | boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
}

/** The expression of zod for a schema, as text. `depth` is that of the line it stands in. */
export function zodText(schema: TypeSchema, depth: number): string {
  const { description, nullable = false } = schema;
  const described = description === undefined || description === "" ? "" : `.describe(${JSON.stringify(description)})`;
  const preset = schema.default === undefined ? "" : `.default(${JSON.stringify(schema.default)})`;
  return `${typeText(schema, depth)}${nullable ? ".nullable()" : ""}${preset}${described}`;
}

function typeText(schema: TypeSchema, depth: number): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "k.intOrString()";
  if (schema["x-kubernetes-embedded-resource"] === true) return "k.embeddedObject()";
  if (schema.enum !== undefined && schema.enum.length > 0) return enumText(schema.enum);
  switch (schema.type) {
    case "string":
      return "z.string()";
    case "boolean":
      return "z.boolean()";
    case "integer":
      return schema.format === "int32" ? "z.int32()" : "z.int()";
    case "number":
      return "z.number()";
    case "array":
      return arrayText(schema, depth);
    case "object":
      return objectText(schema, depth);
    default:
      return "z.unknown()";
  }
}

function enumText(values: readonly unknown[]): string {
  const present = values.filter((value) => value !== null);
  const texts = present.map((value) => JSON.stringify(value)).join(", ");
  return present.every((value) => typeof value === "string") ? `z.enum([${texts}])` : `z.literal([${texts}])`;
}

function arrayText(schema: TypeSchema, depth: number): string {
  const item = zodText(schema.items ?? {}, depth);
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const isRequired = (key: string): boolean => schema.items?.required?.includes(key) === true;
  if (schema["x-kubernetes-list-type"] === "set") return `k.set(${item})`;
  if (schema["x-kubernetes-list-type"] === "map" && keys.length > 0 && keys.every(isRequired)) {
    return `k.listMap(${item}, ${keys.map((key) => JSON.stringify(key)).join(", ")})`;
  }
  return `z.array(${item})`;
}

function objectText(schema: TypeSchema, depth: number): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined || Object.keys(properties).length === 0) {
    if (typeof additionalProperties === "object") return `z.record(z.string(), ${zodText(additionalProperties, depth)})`;
    return additionalProperties === true || schema["x-kubernetes-preserve-unknown-fields"] === true
      ? "k.preserveUnknownFields()"
      : "z.object({})";
  }
  const indent = "  ".repeat(depth + 1);
  const fields = Object.entries(properties).map(([name, field]) => {
    const isOptional = !required.includes(name) && field.default === undefined;
    return `${indent}${keyText(name)}: ${zodText(field, depth + 1)}${isOptional ? ".optional()" : ""},\n`;
  });
  const kind = schema["x-kubernetes-preserve-unknown-fields"] === true ? "z.looseObject" : "z.object";
  return `${kind}({\n${fields.join("")}${"  ".repeat(depth)}})`;
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__" ? name : `[${JSON.stringify(name)}]`;
}
