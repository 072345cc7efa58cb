import { k, z } from "@kaji/core/define";
import type { StructTypes } from "./generated/tables/struct-types.ts";
import { structSchema } from "./struct-schema.ts";

/** The names of the structs that have a type and a schema here, such as `core.v1.PodTemplateSpec`. */
export type StructName = keyof StructTypes;

/**
 * A built-in type as a part of a custom resource: `template: schemaOf("core.v1.PodTemplateSpec")`. The server checks all of its fields, and
 * `kubectl explain` knows them. The name of a type that contains itself, such as JSONSchemaProps, does not compile: a structural schema has an end.
 */
export function schemaOf<N extends StructName>(struct: N): z.ZodType<StructTypes[N], StructTypes[N]> {
  // The schema is made of the same facts as the type.
  return z.unknown().check(k.openApi({ title: struct, ...structSchema(struct) })) as z.ZodType as z.ZodType<StructTypes[N], StructTypes[N]>;
}
