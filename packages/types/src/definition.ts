import type { JsonObject } from "@kaji/core";
import type { FieldType } from "@kaji/core/protobuf";
import { referencedDefinition, structOfDefinition } from "./definition-name.ts";
import { metadataDescriptions } from "./metadata-descriptions.ts";
import { structTable } from "./struct-table.ts";
import type { StructField } from "./struct-table.ts";

/**
 * The definition of a type by its name in OpenAPI v3, such as `io.k8s.api.core.v1.Pod`, without sentences but for metadata; undefined when there is none.
 * A kind that every version has is said to be one of all of them.
 */
export function definitionOf(name: string): JsonObject | undefined {
  const struct = structOfDefinition(name);
  const descriptions = name === objectMeta ? metadataDescriptions : {};
  return leaves.get(name) ?? (struct === undefined ? undefined : structDefinition(struct, descriptions));
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** The types that OpenAPI defines without saying what they are made of. */
const leaves: ReadonlyMap<string, JsonObject> = new Map([
  ["io.k8s.apimachinery.pkg.apis.meta.v1.Time", { type: "string", format: "date-time" }],
  ["io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", { type: "string", format: "date-time" }],
  ["io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", { type: "object" }],
  ["io.k8s.apimachinery.pkg.apis.meta.v1.Patch", { type: "object" }],
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", { oneOf: [{ type: "string" }, { type: "number" }] }],
  ["io.k8s.apimachinery.pkg.util.intstr.IntOrString", { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] }],
  ["io.k8s.apimachinery.pkg.runtime.RawExtension", { type: "object" }],
  ["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", {}],
  ["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray", {}],
  ["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool", {}],
  ["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray", {}],
]);

function structDefinition(struct: string, descriptions: Readonly<Record<string, string>>): JsonObject | undefined {
  const fields = structTable.propertiesOf(struct);
  if (fields === undefined) return undefined;
  const required = [...fields.values()].filter((field) => field.required).map(({ name }) => name);
  const unions: readonly object[] = structTable.unionsOf(struct);
  return {
    type: "object",
    required: unlessEmpty(required),
    properties:
      fields.size === 0
        ? undefined
        : Object.fromEntries(Array.from(fields, ([name, field]) => [name, property(field, descriptions[name])])),
    "x-kubernetes-group-version-kind": unlessEmpty(
      structTable.kindsOf(struct).map(({ group, kind, version }) => ({ group, kind, version })),
    ),
    "x-kubernetes-map-type": structTable.mapTypeOf(struct),
    "x-kubernetes-unions": unlessEmpty(unions as readonly JsonObject[]),
  };
}

function property(field: StructField, description: string | undefined): JsonObject {
  const facts = {
    description,
    default: field.default,
    "x-kubernetes-list-type": field.listType,
    "x-kubernetes-list-map-keys": field.listMapKeys,
    "x-kubernetes-map-type": field.mapType,
    "x-kubernetes-patch-strategy": field.patchStrategy,
    "x-kubernetes-patch-merge-key": field.patchMergeKey,
  };
  return described(field.type, field.enum, facts);
}

/** Nothing may stand beside a reference, so it is wrapped where something must. */
function described(type: FieldType, values: readonly string[] | undefined, facts: JsonObject): JsonObject {
  const name = referencedDefinition(type);
  if (name !== undefined) {
    const reference = { $ref: `#/components/schemas/${name}` };
    return Object.values(facts).every((fact) => fact === undefined) ? reference : { allOf: [reference], ...facts };
  }
  if (type.type === "list") return { type: "array", items: element(type.items, values), ...facts };
  if (type.type === "map") return { type: "object", additionalProperties: element(type.values, values), ...facts };
  return { ...scalars.get(type.type), ...facts, enum: values };
}

/** Items and entries that Go never leaves out have their zero value for a default. */
function element(type: FieldType, values: readonly string[] | undefined): JsonObject {
  const zero = type.type === "struct" ? {} : zeros.get(type.type);
  return described(type, values, { default: zero });
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

const zeros: ReadonlyMap<string, string | number | boolean> = new Map<string, string | number | boolean>([
  ["string", ""],
  ["bool", false],
  ["int32", 0],
  ["int64", 0],
]);

const scalars: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["string", { type: "string" }],
  ["bool", { type: "boolean" }],
  ["int32", { type: "integer", format: "int32" }],
  ["int64", { type: "integer", format: "int64" }],
  ["float64", { type: "number", format: "double" }],
  ["bytes", { type: "string", format: "byte" }],
]);
