export type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
export { ApiServer } from "./api-server.ts";
export type { ApiServerOptions, PathHandler, RequestRecord, ServerRequest } from "./api-server.ts";
export { byCertificate, byStaticToken, firstOf } from "./auth/authenticator.ts";
export type { Authenticator, ClientCertificate, Credentials } from "./auth/authenticator.ts";
export { authenticatedOnly } from "./auth/authorizer.ts";
export type { Authorizer, Decision } from "./auth/authorizer.ts";
export { anonymous, systemAdmin } from "./auth/user-info.ts";
export type { UserInfo } from "./auth/user-info.ts";
export { discoveryPaths } from "./discovery/discovery-paths.ts";
export { healthPaths } from "./health.ts";
export type { ServerVersion } from "./health.ts";
export type { RequestHandler } from "./http/http-exchange.ts";
export type { HttpLimits } from "./http/http-limits.ts";
export { ListenError, listen } from "./http/http-listener.ts";
export type { ListenOptions, Listener, TlsOptions } from "./http/http-listener.ts";
export { KindRegistry } from "./kind-registry.ts";
export type { ServedVersion } from "./kind-registry.ts";
export type {
  ActionContext,
  ActionSubresource,
  ActionTarget,
  Column,
  GenerationRule,
  Kind,
  KindVerb,
  KindVersion,
  Reservation,
  ScaleSubresource,
  ScaleView,
  StoredObjects,
  Strategy,
  StrategyContext,
  Subresource,
  UpdateSubresource,
} from "./kind.ts";
export { DecodeError } from "./object-schema.ts";
export type { Decoded, ObjectSchema } from "./object-schema.ts";
export { validateMetadataChange, validateMetadataFields } from "./registry/object-meta-validation.ts";
export type { DefinitionSource } from "./openapi/definition-source.ts";
export { openApiPaths } from "./openapi/open-api-paths.ts";
export type { OpenApiOptions } from "./openapi/open-api-paths.ts";
export type { Registry } from "./registry/registry.ts";
export type { Target } from "./registry/target.ts";
export type { RequestContext } from "./request/request-context.ts";
export type { PathRequest, RequestInfo, ResourceRequest, ResourceVerb } from "./request/request-info.ts";
export { formatAge, formatSeconds } from "./response/age.ts";
export { bytesAnswer, jsonAnswer, textAnswer } from "./response/answer.ts";
export type { Answer } from "./response/answer.ts";
export { openSchema } from "./server-schemas.ts";
export type { ServerSchemas } from "./server-schemas.ts";
export { createMemoryStorage } from "./storage/memory-storage.ts";
export { StorageError, isStorageFailure } from "./storage/storage-error.ts";
export type { StorageFailure } from "./storage/storage-error.ts";
export type { Storage } from "./storage/storage.ts";
export { StructSchemas } from "./typed/struct-schema.ts";
