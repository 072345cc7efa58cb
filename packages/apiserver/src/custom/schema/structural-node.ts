import type { JsonValue } from "@kaji/core";
import { additionalOf, itemsOf, propertiesOf } from "./structural-schema.ts";
import type { JsonSchemaProps } from "./structural-schema.ts";

/**
 * A structural schema, prepared for walking an object along it: what is there and what may be, without the conditions on values.
 * Made once for each schema; objects are pruned and defaulted by it.
 */
export class StructuralNode {
  readonly type: string;
  readonly nullable: boolean;
  readonly default: JsonValue | undefined;
  /** Whether fields that are not declared are kept. */
  readonly preserves: boolean;
  /** Whether the value is an object of its own, with a type and metadata. */
  readonly embedded: boolean;
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  readonly properties: ReadonlyMap<string, StructuralNode>;
  /** Whether the schema speaks of entries that are not declared: those are kept, by `additional` if it is given. */
  readonly hasAdditional: boolean;
  readonly additional: StructuralNode | undefined;
  readonly items: StructuralNode | undefined;
  /** The declared fields that have a default. */
  readonly defaulted: readonly (readonly [name: string, value: JsonValue, node: StructuralNode])[];
  /** What there is in this schema or below it, so that a walk can leave out what does not concern it. */
  readonly within: Within;

  constructor(schema: JsonSchemaProps) {
    const items = itemsOf(schema);
    const additional = additionalOf(schema);
    this.type = schema.type ?? "";
    this.nullable = schema.nullable ?? false;
    this.default = schema.default ?? undefined;
    this.preserves = schema["x-kubernetes-preserve-unknown-fields"] ?? false;
    this.embedded = schema["x-kubernetes-embedded-resource"] ?? false;
    this.listType = schema["x-kubernetes-list-type"] ?? "";
    this.listMapKeys = schema["x-kubernetes-list-map-keys"] ?? [];
    this.properties = new Map(propertiesOf(schema).map(([name, property]) => [name, new StructuralNode(property)]));
    this.hasAdditional = schema.additionalProperties !== undefined;
    this.additional = additional === undefined ? undefined : new StructuralNode(additional);
    this.items = items === undefined ? undefined : new StructuralNode(items);
    this.defaulted = [...this.properties].flatMap(([name, node]) =>
      node.default === undefined ? [] : [[name, node.default, node] as const],
    );
    this.within = this.#within();
  }

  /** The schema of an entry, declared or not; undefined when nothing is known of it. */
  entry(name: string): StructuralNode | undefined {
    return this.properties.get(name) ?? this.additional;
  }

  #within(): Within {
    const below = [...this.properties.values(), this.additional, this.items].filter((node) => node !== undefined);
    return {
      defaults: this.default !== undefined || below.some(({ within }) => within.defaults),
      embedded: this.embedded || below.some(({ within }) => within.embedded),
      uniqueLists: this.listType === "set" || this.listType === "map" || below.some(({ within }) => within.uniqueLists),
    };
  }
}

/** What a schema has, itself or below. */
export interface Within {
  readonly defaults: boolean;
  readonly embedded: boolean;
  /** Lists whose items must differ. */
  readonly uniqueLists: boolean;
}
