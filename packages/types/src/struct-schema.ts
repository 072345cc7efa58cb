import type { FieldType } from "@kaji/core/protobuf";
import { quantityPattern } from "@kaji/core/define";
import type { StructuralSchema } from "@kaji/core/define";
import { structTable } from "./struct-table.ts";
import type { StructField } from "./struct-table.ts";

/**
 * The structural schema of a struct such as `core.v1.PodTemplateSpec`, as controller-gen writes it into the definition of a custom resource that
 * embeds it: without sentences, and without enums, for a server that is newer than the operator may know more values.
 * Throws where there is no such struct, or none that a structural schema can describe.
 */
export function structSchema(struct: string): StructuralSchema {
  return new Embedding(struct).struct(struct, []);
}

/** Metadata of an object that is still to be made. What only a server sets is not part of it. */
const templateMeta: StructuralSchema = {
  type: "object",
  properties: {
    annotations: { type: "object", additionalProperties: { type: "string" } },
    finalizers: { type: "array", items: { type: "string" } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    name: { type: "string" },
    namespace: { type: "string" },
  },
};

const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };
const anyObject: StructuralSchema = { type: "object", ...anything };

/** One struct with all that it holds. */
class Embedding {
  readonly #embedded: string;

  constructor(embedded: string) {
    this.#embedded = embedded;
  }

  /** `inside` has the structs that this one is a part of. */
  struct(name: string, inside: readonly string[]): StructuralSchema {
    if (name === "meta.v1.ObjectMeta") return templateMeta;
    if (inside.includes(name)) throw this.#error(`${name} contains itself, and has no structural schema; use k.preserveUnknownFields<…>()`);
    const fields = structTable.propertiesOf(name);
    if (fields === undefined) throw this.#error("there is no such struct");
    const properties = Array.from(fields.values(), (field) => [field.name, this.#field(field, [...inside, name])] as const);
    const required = [...fields.values()].filter((field) => field.required).map((field) => field.name);
    return {
      type: "object",
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required }),
      ...mapType(structTable.mapTypeOf(name)),
    };
  }

  #field(field: StructField, inside: readonly string[]): StructuralSchema {
    const schema = this.#type(field.type, inside);
    return {
      ...schema,
      ...(hasOwnDefault(field) ? { default: field.default } : {}),
      ...(schema.items === undefined ? {} : listType(field, schema.items)),
      ...mapType(field.mapType),
    };
  }

  #type(type: FieldType, inside: readonly string[]): StructuralSchema {
    switch (type.type) {
      case "struct":
        return this.struct(type.name, inside);
      case "list":
        return { type: "array", items: this.#type(type.items, inside) };
      case "map":
        return { type: "object", additionalProperties: this.#type(type.values, inside) };
      case "string":
        return { type: "string" };
      case "bool":
        return { type: "boolean" };
      case "int32":
      case "int64":
        return { type: "integer", format: type.type };
      case "float64":
        return { type: "number", format: "double" };
      case "bytes":
        return { type: "string", format: "byte" };
      case "time":
      case "microTime":
        return { type: "string", format: "date-time" };
      case "intOrString":
        return { "x-kubernetes-int-or-string": true };
      case "quantity":
        return { "x-kubernetes-int-or-string": true, pattern: quantityPattern.source };
      case "fieldsV1":
      case "rawExtension":
        return anyObject;
      case "any":
      case "json":
      case "schemaOrArray":
      case "schemaOrBool":
      case "schemaOrStrings":
        return anything;
      default:
        return type satisfies never;
    }
  }

  #error(problem: string): TypeError {
    return new TypeError(`schemaOf(${JSON.stringify(this.#embedded)}): ${problem}`);
  }
}

/** Whether the API says what an absent value means. That Go always has some value is no such thing. */
function hasOwnDefault({ type, pointer, omitEmpty, required, default: value }: StructField): boolean {
  return value !== undefined && !required && type.type !== "struct" && (pointer || omitEmpty);
}

/** Where a key may be absent and has no default, a server would refuse the definition: such a list is one value to those who apply it. */
function listType({ listType: type, listMapKeys: keys = [] }: StructField, items: StructuralSchema): StructuralSchema {
  if (type === undefined) return {};
  if (type !== "map") return { "x-kubernetes-list-type": type };
  const isAlwaysThere = (key: string): boolean => items.required?.includes(key) === true || items.properties?.[key]?.default !== undefined;
  if (!keys.every(isAlwaysThere)) return { "x-kubernetes-list-type": "atomic" };
  return { "x-kubernetes-list-type": type, "x-kubernetes-list-map-keys": keys };
}

function mapType(type: StructField["mapType"]): StructuralSchema {
  return type === "atomic" ? { "x-kubernetes-map-type": type } : {};
}
