export {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  optionalType,
  stringType,
  timestampType,
  uintType,
} from "./check/type.ts";
export type { Type } from "./check/type.ts";
export { compile } from "./compile.ts";
export type { Compilation, Environment } from "./compile.ts";
export { requestBytes, schemaSizes } from "./cost/schema-sizes.ts";
export type { SchemaSizes } from "./cost/schema-sizes.ts";
export { authorizerType, authorizerValue, resourceCheckType, resourceCheckValue } from "./library/authorizer.ts";
export type { AuthorizationCheck, AuthorizationDecision, Authorize, ResourceCheckFields, ServiceAccount } from "./library/authorizer.ts";
export { jsonPatchType, patchObjectType } from "./library/patch.ts";
export { linearPattern } from "./library/pattern.ts";
export { costLimitPerExpression } from "./program.ts";
export type { Bindings, EvaluateOptions, Outcome, Program } from "./program.ts";
export type { JsonSchema, SchemaRole } from "./schema/json-schema.ts";
export { schemaType } from "./schema/schema-type.ts";
export { schemaReader } from "./schema/schema-value.ts";
export type { SchemaReader } from "./schema/schema-value.ts";
export { jsonValue } from "./value/json-value.ts";
export { itemsOf, listOf } from "./value/list-value.ts";
export { MadeObject } from "./value/made-object.ts";
export { mapOf } from "./value/map-value.ts";
export { toJson } from "./value/to-json.ts";
export { Double, Duration, ErrorValue, Optional, Timestamp, TypeValue, Uint } from "./value/value.ts";
export type { Int, ListValue, MapValue, OpaqueValue, Value } from "./value/value.ts";
