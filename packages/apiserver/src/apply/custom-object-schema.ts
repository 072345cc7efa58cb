import { additionalOf, itemsOf, propertyOf } from "../custom/schema/structural-schema.ts";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";
import { deducedSchema, untypedSchema } from "./merge-schema.ts";
import type { ListForm, ListKey, MapForm, MergeSchema, ScalarForm } from "./merge-schema.ts";
import { objectMetaSchema, textSchema } from "./object-meta-schema.ts";

/** How objects of a custom kind merge. Without a schema, whatever they are made of is deduced. */
export function customObjectSchema(schema: JsonSchemaProps | undefined): MergeSchema {
  if (schema === undefined) return deducedSchema;
  return { map: new StructuralMap(schema, schema["x-kubernetes-preserve-unknown-fields"] === true, typeAndMeta) };
}

/** What every object has whatever its own schema says. */
const typeAndMeta: ReadonlyMap<string, MergeSchema> = new Map([
  ["apiVersion", textSchema],
  ["kind", textSchema],
  ["metadata", objectMetaSchema],
]);

/** A value that keeps unknown fields lets all within it keep them. */
function convert(schema: JsonSchemaProps, preserving: boolean): MergeSchema {
  const preserve = preserving || schema["x-kubernetes-preserve-unknown-fields"] === true;
  switch (schema.type ?? "") {
    case "":
      return { scalar: "untyped", list: new StructuralList(schema, preserve), map: new StructuralMap(schema, preserve) };
    case "object":
      return { map: new StructuralMap(schema, preserve) };
    case "array":
      return { list: new StructuralList(schema, preserve) };
    default:
      return { scalar: scalarOf(schema) };
  }
}

function scalarOf({ type, format = "" }: JsonSchemaProps): ScalarForm {
  if (type === "integer" || type === "number") return "numeric";
  if (type === "boolean") return "boolean";
  // Formatted text may be written otherwise in Go, such as times: it is not checked to be text.
  return type === "string" && (format === "" || format === "byte") ? "string" : "untyped";
}

class StructuralMap implements MapForm {
  readonly atomic: boolean;
  readonly hasFields: boolean;
  readonly #schema: JsonSchemaProps;
  readonly #preserve: boolean;
  /** The types of the fields that are given, and of those asked for so far. */
  readonly #fields: Map<string, MergeSchema>;
  #element: MergeSchema | undefined;

  constructor(schema: JsonSchemaProps, preserve: boolean, given: ReadonlyMap<string, MergeSchema> = new Map()) {
    this.#schema = schema;
    this.#preserve = preserve;
    this.#fields = new Map(schema["x-kubernetes-embedded-resource"] === true ? typeAndMeta : given);
    this.atomic = schema["x-kubernetes-map-type"] === "atomic";
    this.hasFields = this.#fields.size > 0 || Object.keys(schema.properties ?? {}).length > 0;
  }

  field(name: string): MergeSchema | undefined {
    const known = this.#fields.get(name);
    const property = known === undefined ? propertyOf(this.#schema, name) : undefined;
    if (property === undefined) return known;
    const converted = convert(property, this.#preserve);
    this.#fields.set(name, converted);
    return converted;
  }

  /** An object about whose entries nothing is said at all may have any. */
  get element(): MergeSchema | undefined {
    const additional = additionalOf(this.#schema);
    if (additional !== undefined) return (this.#element ??= convert(additional, this.#preserve));
    return (this.#schema.additionalProperties ?? (this.#preserve || !this.hasFields)) ? deducedSchema : undefined;
  }
}

class StructuralList implements ListForm {
  readonly relationship: ListForm["relationship"];
  readonly keys: readonly ListKey[];
  readonly #items: JsonSchemaProps | undefined;
  readonly #preserve: boolean;
  #element: MergeSchema | undefined;

  constructor(schema: JsonSchemaProps, preserve: boolean) {
    const { "x-kubernetes-list-type": listType, "x-kubernetes-list-map-keys": keys = [] } = schema;
    const items = itemsOf(schema);
    this.relationship = listType === "map" || listType === "set" ? listType : "atomic";
    this.keys = listType === "map" ? keys.map((name) => ({ name, default: propertyOf(items ?? {}, name)?.default })) : [];
    this.#items = items;
    this.#preserve = preserve;
  }

  get element(): MergeSchema {
    return (this.#element ??= this.#items === undefined ? untypedSchema : convert(this.#items, this.#preserve));
  }
}
