export type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
export { ApiServer } from "./api-server.ts";
export type { ApiServerOptions, PathHandler, RequestRecord, ServerRequest } from "./api-server.ts";
export { deducedSchema, untypedSchema } from "./apply/merge-schema.ts";
export type { ListForm, ListKey, MapForm, MergeSchema, ScalarForm } from "./apply/merge-schema.ts";
export { byCertificate, byStaticToken, firstOf } from "./auth/authenticator.ts";
export type { Authenticator, ClientCertificate, Credentials } from "./auth/authenticator.ts";
export { authenticatedOnly } from "./auth/authorizer.ts";
export type { Authorizer, Decision } from "./auth/authorizer.ts";
export { issuerPaths } from "./auth/issuer-paths.ts";
export { ServiceAccountTokens, defaultIssuer } from "./auth/service-account-tokens.ts";
export type { BoundObject, ObjectLookup, ServiceAccountTokensOptions, TokenRequest, TokenReview } from "./auth/service-account-tokens.ts";
export type { ObjectName } from "./auth/token-claims.ts";
export { anonymous, systemAdmin } from "./auth/user-info.ts";
export type { UserInfo } from "./auth/user-info.ts";
export { createCrdKind } from "./custom/crd-kind.ts";
export type { CustomKinds } from "./custom/custom-kinds.ts";
export type { RuleCheck, RuleCompiler } from "./custom/custom-validation.ts";
export { serveCustomKinds } from "./custom/serve-custom-kinds.ts";
export type { JsonSchemaProps } from "./custom/structural-schema.ts";
export { validateWebhookClient } from "./custom/conversion-validation.ts";
export type { WebhookClientConfig } from "./custom/crd.ts";
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
  RowCondition,
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
export type { DeleteOptions, Propagation } from "./request/delete-options.ts";
export { goSyntaxError } from "./request/go-syntax-error.ts";
export type { RequestContext } from "./request/request-context.ts";
export type { PathRequest, RequestInfo, ResourceRequest, ResourceVerb } from "./request/request-info.ts";
export { formatAge, formatSeconds } from "./response/age.ts";
export { bytesAnswer, jsonAnswer, textAnswer } from "./response/answer.ts";
export type { Answer } from "./response/answer.ts";
export { openSchema } from "./server-schemas.ts";
export type { ServerSchemas } from "./server-schemas.ts";
export { createMemoryStorage } from "./storage/memory-storage.ts";
export { openSqliteStorage } from "./storage/sqlite-storage.ts";
export { StorageError, isStorageFailure } from "./storage/storage-error.ts";
export type { StorageFailure } from "./storage/storage-error.ts";
export type { Entry, Storage } from "./storage/storage.ts";
export type { Certificate } from "./tls/certificate.ts";
export { createAuthority, issueClient, issueServing } from "./tls/certificate-authority.ts";
export type { ClientSubject, IssueOptions } from "./tls/certificate-authority.ts";
export { PkiError, firstServiceIp, openPki } from "./tls/pki.ts";
export type { Pki, PkiOptions } from "./tls/pki.ts";
export { writePrivateFile } from "./tls/private-file.ts";
export { StructSchemas } from "./typed/struct-schema.ts";
