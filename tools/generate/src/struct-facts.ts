import type { GoEnums, GoFacts, GoField, GoType } from "./go-facts.ts";
import type { OpenApiSchema, OpenApiUnion } from "./open-api-facts.ts";
import { PropertyFacts } from "./property-facts.ts";
import type { PropertyFact } from "./property-facts.ts";
import { definitionName, leafOf, schemaAlternativeOf, schemaStruct, shortName } from "./struct-names.ts";

/** A struct with everything known about it from Go and, where a server publishes it, from OpenAPI. */
export interface StructFact {
  /** Such as `core.v1.PodSpec`. */
  readonly name: string;
  readonly fields: readonly FieldFact[];
  /** Whether a published document has a definition of it. */
  readonly published: boolean;
  readonly mapType?: string;
  readonly unions?: readonly OpenApiUnion[];
}

/** A field with everything known about it. */
export interface FieldFact extends PropertyFact {
  readonly name: string;
  readonly number: number;
  readonly type: TypeFact;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly inline: boolean;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The type as Go prints it, where `type` does not tell: `[]v1.Capability`. */
  readonly goType?: string;
  /** The Go name of the type of its scalars, where that is not a predeclared one: `k8s.io/api/core/v1.ServiceType`. */
  readonly scalarName?: string;
}

/** A type in our words. */
export type TypeFact =
  | { readonly kind: "leaf"; readonly name: string }
  | { readonly kind: "struct"; readonly name: string }
  | { readonly kind: "schemaOr"; readonly name: string; readonly schema: string }
  | { readonly kind: "list"; readonly items: TypeFact; readonly wrapped: boolean }
  | { readonly kind: "map"; readonly values: TypeFact };

/** Brings the sources together, one fact per struct, sorted by name. */
export function structFacts(go: GoFacts, enums: GoEnums, definitions: ReadonlyMap<string, OpenApiSchema>): readonly StructFact[] {
  const properties = new PropertyFacts(go, enums, definitions);
  return Object.entries(go.structs)
    .filter(([qualified]) => isStruct(qualified))
    .map(([qualified, fields]) => structFact(qualified, fields, properties, definitions.get(definitionName(qualified))))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function isStruct(qualified: string): boolean {
  return qualified !== "time.Time" && leafOf(qualified) === undefined && schemaAlternativeOf(qualified) === undefined;
}

function structFact(
  qualified: string,
  fields: readonly GoField[],
  properties: PropertyFacts,
  definition: OpenApiSchema | undefined,
): StructFact {
  const mapType = definition?.["x-kubernetes-map-type"];
  const unions = definition?.["x-kubernetes-unions"];
  return {
    name: shortName(qualified),
    fields: fields.filter(({ name }) => name !== "-").map((field) => fieldFact(field, properties.of(field), qualified)),
    published: definition !== undefined,
    ...(mapType === undefined ? {} : { mapType }),
    ...(unions === undefined ? {} : { unions }),
  };
}

function fieldFact(field: GoField, property: PropertyFact = { required: false }, qualified: string): FieldFact {
  const { name = "", number = 0, pointer = false, omitEmpty = false, omitZero = false, inline = false } = field;
  const { patchStrategy, patchMergeKey, goType } = field;
  const type = typeFact(field.type);
  if (name === "" && !inline) throw new Error(`${qualified}.${field.goName}: a field without a name that is not inline`);
  if (omitZero && !(type.kind === "leaf" && type.name === "time")) throw new Error(`${qualified}.${name}: omitzero on what is not a time`);
  const scalarName = scalarNameOf(field.type);
  return {
    name,
    number,
    type,
    pointer,
    omitEmpty,
    omitZero,
    inline,
    ...property,
    ...(patchStrategy === undefined ? {} : { patchStrategy }),
    ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
    ...(goType === undefined ? {} : { goType }),
    ...(scalarName === undefined ? {} : { scalarName }),
  };
}

function typeFact(type: GoType): TypeFact {
  if (type.list !== undefined) return { kind: "list", items: typeFact(type.list), wrapped: type.message ?? false };
  if (type.map !== undefined) return { kind: "map", values: typeFact(type.map) };
  if (type.scalar !== undefined) return { kind: "leaf", name: type.scalar === "interface" ? "any" : type.scalar };
  if (type.struct === undefined) throw new Error(`a type that is nothing: ${JSON.stringify(type)}`);
  const leaf = leafOf(type.struct);
  if (leaf !== undefined) return { kind: "leaf", name: leaf };
  const alternative = schemaAlternativeOf(type.struct);
  if (alternative !== undefined) return { kind: "schemaOr", name: alternative, schema: schemaStruct };
  if (type.opaque === true) throw new Error(`${type.struct} writes its own JSON: say in struct-names.ts what it is`);
  return { kind: "struct", name: shortName(type.struct) };
}

function scalarNameOf(type: GoType): string | undefined {
  if (type.list !== undefined) return scalarNameOf(type.list);
  if (type.map !== undefined) return scalarNameOf(type.map);
  return type.scalar === undefined ? undefined : type.alias;
}
