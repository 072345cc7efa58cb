import { structuralEqual } from "@kaji/core";

/** An OpenAPI schema as far as it is looked into here; the rest of it is passed on as it is. */
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

/** An expression of zod as text, and the schema that follows from it without more being said. */
interface Expression {
  readonly text: string;
  readonly says: Readonly<Record<string, unknown>>;
}

/** The expression of zod for a schema, as text: its type, and with `k.openApi` whatever else the server checks. `depth` is that of the line it stands in. */
export function zodText(schema: TypeSchema, depth: number): string {
  const { description, default: _, nullable = false, ...facts } = schema;
  const preset = presetOf(schema);
  const isContainer = schema.type === "object" || schema.type === "array";
  const { text, says } = expressionOf(schema, depth);
  const nothing = nullable ? ".nullable()" : "";
  const checked = isContainer
    ? `${text}${checkText(besides(facts, says))}${nothing}`
    : `${text}${nothing}${structuralEqual(facts, says) ? "" : checkText({ ...facts, ...(nullable ? { nullable } : {}) })}`;
  const described = description === undefined || description === "" ? "" : `.describe(${JSON.stringify(description)})`;
  // What an object leaves out of its default has defaults of its own.
  const method = isContainer ? "prefault" : "default";
  return `${checked}${preset === undefined ? "" : `.${method}(${literalText(preset)})`}${described}`;
}

/** What a server fills in: to it, null is no default. */
function presetOf({ default: preset }: TypeSchema): unknown {
  return preset ?? undefined;
}

/** What a schema says of an object, map or list beside its fields or items, which have expressions of their own, and beside what is said already. */
function besides(facts: TypeSchema, says: Expression["says"]): object {
  const { items: _, properties: __, additionalProperties: entries, required = [], ...rest } = facts;
  const others = entries === true ? { ...rest, additionalProperties: entries } : rest;
  const isSaid = ([name, value]: readonly [string, unknown]): boolean => structuralEqual(value, says[name]);
  const { required: followed = [] } = says as Pick<TypeSchema, "required">;
  const sameNames = structuralEqual([...required].sort(), [...followed].sort());
  return Object.fromEntries(Object.entries({ ...others, ...(sameNames ? {} : { required }) }).filter((entry) => !isSaid(entry)));
}

function checkText(facts: object): string {
  return Object.keys(facts).length === 0 ? "" : `.check(k.openApi(${literalText(facts)}))`;
}

function expressionOf(schema: TypeSchema, depth: number): Expression {
  if (schema["x-kubernetes-int-or-string"] === true) return { text: "k.intOrString()", says: { "x-kubernetes-int-or-string": true } };
  if (schema["x-kubernetes-embedded-resource"] === true) {
    const says = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };
    return { text: "k.embeddedObject()", says };
  }
  if (schema.enum !== undefined && schema.enum.length > 0 && schema.nullable !== true) return enumExpression(schema.enum);
  switch (schema.type) {
    case "string":
    case "boolean":
    case "number":
      return { text: `z.${schema.type}()`, says: { type: schema.type } };
    case "integer":
      return schema.format === "int32" ? { text: "z.int32()", says: { type: "integer", format: "int32" } } : { text: "z.int()", says: {} };
    case "array":
      return arrayExpression(schema, depth);
    case "object":
      return objectExpression(schema, depth);
    default:
      return { text: "z.unknown()", says: {} };
  }
}

function enumExpression(values: readonly unknown[]): Expression {
  const texts = values.map((value) => JSON.stringify(value)).join(", ");
  if (values.every((value) => typeof value === "string")) return { text: `z.enum([${texts}])`, says: { type: "string", enum: values } };
  const type = typeof values[0] === "boolean" ? "boolean" : "integer";
  return { text: `z.literal([${texts}])`, says: { type, enum: values } };
}

function arrayExpression(schema: TypeSchema, depth: number): Expression {
  const item = zodText(schema.items ?? {}, depth);
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const isRequired = (key: string): boolean => schema.items?.required?.includes(key) === true;
  if (schema["x-kubernetes-list-type"] === "set") {
    return { text: `k.set(${item})`, says: { type: "array", "x-kubernetes-list-type": "set" } };
  }
  if (schema["x-kubernetes-list-type"] === "map" && keys.length > 0 && keys.every(isRequired)) {
    const says = { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
    return { text: `k.listMap(${item}, ${keys.map((key) => JSON.stringify(key)).join(", ")})`, says };
  }
  return { text: `z.array(${item})`, says: { type: "array" } };
}

function objectExpression(schema: TypeSchema, depth: number): Expression {
  const { properties, required = [], additionalProperties } = schema;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const says = { type: "object", ...(keepsUnknown ? { "x-kubernetes-preserve-unknown-fields": true } : {}) };
  if (properties === undefined || Object.keys(properties).length === 0) {
    if (typeof additionalProperties === "object") {
      return { text: `z.record(z.string(), ${zodText(additionalProperties, depth)})`, says: { type: "object" } };
    }
    if (additionalProperties === true && !keepsUnknown) return { text: "z.record(z.string(), z.unknown())", says: { type: "object" } };
    return { text: keepsUnknown ? "k.preserveUnknownFields()" : "z.object({})", says };
  }
  const indent = "  ".repeat(depth + 1);
  const isOptional = (name: string, field: TypeSchema): boolean => !required.includes(name) && presetOf(field) === undefined;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${indent}${keyText(name)}: ${zodText(field, depth + 1)}${isOptional(name, field) ? ".optional()" : ""},\n`,
  );
  const followed = Object.keys(properties).filter((name) => required.includes(name) && presetOf(properties[name] ?? {}) === undefined);
  return {
    text: `${keepsUnknown ? "z.looseObject" : "z.object"}({\n${fields.join("")}${"  ".repeat(depth)}})`,
    says: { ...says, required: followed },
  };
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__" ? name : `[${JSON.stringify(name)}]`;
}

/** JSON as people write it in a program. */
export function literalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${keyText(name)}: ${literalText(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
