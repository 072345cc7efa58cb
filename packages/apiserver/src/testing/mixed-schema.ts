import type { FieldSet } from "../apply/field-set.ts";
import { deducedSchema, listSchema, mapSchema, structSchema, untypedSchema } from "../apply/merge-schema.ts";
import type { MergeSchema } from "../apply/merge-schema.ts";
import { textSchema } from "../apply/object-meta-schema.ts";
import { formatPath } from "../apply/path-element.ts";

const port = structSchema({ port: { scalar: "numeric" }, protocol: textSchema, host: textSchema });
/** An object with a field of each type that merges in its own way. */
export const mixedSchema: MergeSchema = structSchema({
  size: { scalar: "numeric" },
  nested: structSchema({ a: textSchema, deep: structSchema({ b: textSchema }) }),
  labels: mapSchema(textSchema),
  point: structSchema({ x: { scalar: "numeric" } }, { atomic: true }),
  tags: listSchema("set", textSchema),
  steps: listSchema("atomic", textSchema),
  ports: listSchema("map", port, { name: "port" }, { name: "protocol", default: "TCP" }),
  any: deducedSchema,
  opaque: untypedSchema,
});

/** The paths of a set, as messages show them. */
export function pathsOf(set: FieldSet): readonly string[] {
  return [...set.paths()].map(formatPath);
}
