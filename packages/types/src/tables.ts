export { apiGroups, isServedByDefault } from "./api-groups.ts";
export type { ApiGroup, ApiGroupVersion, ApiResource, ApiSubresource } from "./api-groups.ts";
export { definitionOf } from "./definition.ts";
export { definitionName, referencedDefinition } from "./definition-name.ts";
export { mergeSchemaOf } from "./merge-schema.ts";
export type { MergeList, MergeMap, MergeSchema } from "./merge-schema.ts";
export { patchSchemaOf } from "./patch-schema.ts";
export { structTable } from "./struct-table.ts";
export type { StructField, StructTable, StructUnion } from "./struct-table.ts";
