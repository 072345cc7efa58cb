import { isDeepStrictEqual } from "node:util";
import type { GoEnums, GoFacts, GoField } from "./go-facts.ts";
import type { OpenApiSchema } from "./open-api-facts.ts";
import { definitionName } from "./struct-names.ts";

/** What only OpenAPI says of a field. */
export interface PropertyFact {
  readonly required: boolean;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: string;
  /** Only where it is not the zero value that follows from the Go type. */
  readonly default?: unknown;
  /** The allowed values, of the items where the field is a list. */
  readonly enum?: readonly string[];
}

/** Finds the fact of a field by the struct that declares it. OpenAPI attributes the fields of inline structs to the surrounding one. */
export class PropertyFacts {
  readonly #facts = new Map<GoField, PropertyFact>();

  constructor(go: GoFacts, enums: GoEnums, definitions: ReadonlyMap<string, OpenApiSchema>) {
    for (const qualified of Object.keys(go.structs)) {
      const definition = definitions.get(definitionName(qualified));
      if (definition?.properties !== undefined) this.#addDefinition(qualified, go, enums[qualified] ?? {}, definition);
    }
  }

  of(field: GoField): PropertyFact | undefined {
    return this.#facts.get(field);
  }

  #addDefinition(qualified: string, go: GoFacts, enums: GoEnums[string], definition: OpenApiSchema): void {
    const fields = flatten(qualified, go);
    const properties = new Map(Object.entries(definition.properties ?? {}));
    for (const field of fields) {
      const { name = "" } = field;
      const property = properties.get(name);
      if (property === undefined) throw new Error(`${qualified}.${name}: in Go, but not in OpenAPI`);
      properties.delete(name);
      const required = definition.required?.includes(name) ?? false;
      this.#add(field, propertyFact(field, property, required, enums[name]), `${qualified}.${name}`);
    }
    const [unknown] = properties.keys();
    if (unknown !== undefined) throw new Error(`${qualified}.${unknown}: in OpenAPI, but not in Go`);
  }

  #add(field: GoField, fact: PropertyFact, path: string): void {
    const known = this.#facts.get(field);
    if (known !== undefined && !isDeepStrictEqual(known, fact)) {
      throw new Error(`${path}: OpenAPI describes this field of an inline struct differently in two places`);
    }
    this.#facts.set(field, fact);
  }
}

function propertyFact(field: GoField, property: OpenApiSchema, required: boolean, values: readonly string[] | undefined): PropertyFact {
  const { "x-kubernetes-list-type": listType, "x-kubernetes-list-map-keys": listMapKeys, "x-kubernetes-map-type": mapType } = property;
  checkPatchTags(field, property);
  return {
    required,
    ...(listType === undefined ? {} : { listType }),
    ...(listMapKeys === undefined ? {} : { listMapKeys }),
    ...(mapType === undefined ? {} : { mapType }),
    ...(isDeepStrictEqual(property.default, impliedDefault(field)) ? {} : { default: property.default }),
    ...(values === undefined ? {} : { enum: values }),
  };
}

/** Go and OpenAPI say the same about patches, so one of them is enough. */
function checkPatchTags({ goName, patchStrategy, patchMergeKey }: GoField, property: OpenApiSchema): void {
  if (patchStrategy === property["x-kubernetes-patch-strategy"] && patchMergeKey === property["x-kubernetes-patch-merge-key"]) return;
  throw new Error(`${goName}: its patch tags in Go and in OpenAPI differ`);
}

/** The published documents give zero values as defaults where Go always has a value and always writes it. */
function impliedDefault({ type, pointer, omitEmpty }: GoField): unknown {
  if (pointer === true) return undefined;
  if (type.struct !== undefined && type.opaque !== true) return {};
  return omitEmpty === true || type.scalar === undefined ? undefined : zeros.get(type.scalar);
}

const zeros: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["string", ""],
  ["bool", false],
  ["int32", 0],
  ["int64", 0],
]);

function flatten(qualified: string, go: GoFacts): readonly GoField[] {
  return (go.structs[qualified] ?? [])
    .filter(({ name }) => name !== "-")
    .flatMap((field) => (field.inline === true && field.type.struct !== undefined ? flatten(field.type.struct, go) : [field]));
}
