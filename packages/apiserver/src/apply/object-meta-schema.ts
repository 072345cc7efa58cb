import { listSchema, mapSchema, structSchema, untypedSchema } from "./merge-schema.ts";
import type { MergeSchema } from "./merge-schema.ts";

/** Text. */
export const textSchema: MergeSchema = { scalar: "string" };

const numberSchema: MergeSchema = { scalar: "numeric" };
const booleanSchema: MergeSchema = { scalar: "boolean" };
const timeSchema: MergeSchema = { scalar: "untyped" };

const ownerReferenceSchema = structSchema(
  {
    apiVersion: textSchema,
    blockOwnerDeletion: booleanSchema,
    controller: booleanSchema,
    kind: textSchema,
    name: textSchema,
    uid: textSchema,
  },
  { atomic: true },
);

/** How the metadata of every object merges. */
export const objectMetaSchema: MergeSchema = structSchema({
  annotations: mapSchema(textSchema),
  creationTimestamp: timeSchema,
  deletionGracePeriodSeconds: numberSchema,
  deletionTimestamp: timeSchema,
  finalizers: listSchema("set", textSchema),
  generateName: textSchema,
  generation: numberSchema,
  labels: mapSchema(textSchema),
  managedFields: listSchema("atomic", untypedSchema),
  name: textSchema,
  namespace: textSchema,
  ownerReferences: listSchema("map", ownerReferenceSchema, { name: "uid", default: "" }),
  resourceVersion: textSchema,
  selfLink: textSchema,
  uid: textSchema,
});
