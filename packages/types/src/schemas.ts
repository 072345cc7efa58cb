export { schemaOf } from "./schema-of.ts";
export type { StructName } from "./schema-of.ts";
