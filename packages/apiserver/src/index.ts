export type { AdmissionPlugin, AdmissionRequest, MutationRequest, MutationRounds } from "./admission.ts";
export { Aggregator } from "./aggregation/aggregator.ts";
export type { AggregationOptions } from "./aggregation/aggregator.ts";
export { apiServicePrefix, readApiService } from "./aggregation/api-service.ts";
export type { ApiService, ApiServiceCondition, RemoteService } from "./aggregation/api-service.ts";
export type { ServiceCheck, ServiceProblem } from "./aggregation/availability.ts";
export type { ExtensionTargets } from "./aggregation/extension-caller.ts";
export { LocalApiServices, localCondition } from "./aggregation/local-api-services.ts";
export type { ApiPriority } from "./aggregation/local-api-services.ts";
export { ApiServer } from "./api-server.ts";
export type { ApiServerOptions, PathHandler, RequestRecord } from "./api-server.ts";
export type { ServerRequest } from "./http/server-request.ts";
export { deducedSchema } from "./apply/merge-schema.ts";
export type { ListForm, ListKey, MapForm, MergeSchema, ScalarForm } from "./apply/merge-schema.ts";
export { auditEvent } from "./audit/audit-event.ts";
export { byCertificate, byCertificateFrom, byStaticToken, firstOf } from "./auth/authenticator.ts";
export type { Authenticator } from "./auth/authenticator.ts";
export { authenticatedOnly } from "./auth/authorizer.ts";
export type { Authorizer, Decision, Grant } from "./auth/authorizer.ts";
export type { Impersonation } from "./auth/impersonation.ts";
export { issuerPaths } from "./auth/issuer-paths.ts";
export { ServiceAccountTokens } from "./auth/service-account-tokens.ts";
export type {
  BoundObject,
  FoundObject,
  ObjectLookup,
  ServiceAccountTokensOptions,
  TokenRequest,
  TokenReview,
} from "./auth/service-account-tokens.ts";
export type { KeptTokenClaims } from "./auth/kept-token.ts";
export type { ObjectName } from "./auth/token-claims.ts";
export { createCrdKind } from "./custom/definition/crd-kind.ts";
export type { CustomKinds } from "./custom/custom-kinds.ts";
export { computedKind, definedKind } from "./custom/defined-kind.ts";
export { serveCustomKinds } from "./custom/serve-custom-kinds.ts";
export type { JsonSchemaProps } from "./custom/schema/structural-schema.ts";
export { validateWebhookClient } from "./custom/definition/conversion-validation.ts";
export type { WebhookClientConfig } from "./custom/definition/crd.ts";
export { readAuthenticationConfig } from "./delegation/authentication-config.ts";
export { bySubjectAccessReview } from "./delegation/delegated-authorizer.ts";
export { byTokenReview } from "./delegation/token-review.ts";
export { discoveryPaths } from "./discovery/discovery-paths.ts";
export { indexPaths } from "./discovery/index-paths.ts";
export { healthPaths } from "./health.ts";
export type { HealthName, ServerVersion } from "./health.ts";
export type { RequestHandler } from "./http/http-exchange.ts";
export type { HttpLimits } from "./http/http-limits.ts";
export { ListenError, listen } from "./http/http-listener.ts";
export type { ListenOptions, Listener, TlsOptions } from "./http/http-listener.ts";
export { KindRegistry } from "./kind-registry.ts";
export type { ServedVersion } from "./kind-registry.ts";
export type { Column, Kind, KindVerb, KindVersion, RemoteConversion, RowCondition } from "./kind.ts";
export type { GenerationRule, Reservation, StoredObjects, Strategy, StrategyContext } from "./strategy.ts";
export type {
  ActionContext,
  ActionOwnership,
  ActionSubresource,
  ActionTarget,
  ScaleSubresource,
  ScaleView,
  Subresource,
  ConnectSubresource,
  ProxySubresource,
  ProxyTarget,
  TextSubresource,
  UpdateSubresource,
} from "./subresource.ts";
export { DecodeError } from "./object-schema.ts";
export type { Decoded, ObjectSchema } from "./object-schema.ts";
export { admissionExpression } from "./policies/admission-expression.ts";
export type { AdmissionExpression, ExpressionResult } from "./policies/admission-expression.ts";
export { compileVariables } from "./policies/compiled-policy.ts";
export { expressionEnvironment } from "./policies/expression-scope.ts";
export type { ExpressionScope } from "./policies/expression-scope.ts";
export type { PolicyAdmission } from "./policies/policy-enforcement.ts";
export { checkPolicyTypes } from "./policies/policy-type-check.ts";
export type { ExpressionWarning, FindDocument, ServedKind } from "./policies/policy-type-check.ts";
export { mutatingPolicies } from "./policies/mutating-policies.ts";
export { validatingPolicies } from "./policies/validating-policies.ts";
export { schemaRules } from "./custom/rules/schema-rules.ts";
export { generatedName } from "./registry/object-meta.ts";
export type { TellTrouble, Trouble } from "./trouble.ts";
export { validateMetadataAgain, validateMetadataChange } from "./registry/object-meta-validation.ts";
export { completedPrefix } from "./registry/subdomain-name.ts";
export type { DefinitionSource } from "./openapi/definition-source.ts";
export { openApiPaths } from "./openapi/open-api-paths.ts";
export type { OpenApiOptions } from "./openapi/open-api-paths.ts";
export type { Registry } from "./registry/registry.ts";
export type { Target } from "./registry/target.ts";
export type { DeleteOptions, Propagation } from "./request/delete-options.ts";
export { goSyntaxError } from "./request/go-syntax-error.ts";
export type { RequestContext } from "./request/request-context.ts";
export { formatAge, formatSeconds } from "./response/age.ts";
export { bytesResponse, jsonResponse, textResponse } from "./response/api-response.ts";
export type { ApiResponse } from "./response/api-response.ts";
export { openSchema } from "./server-schemas.ts";
export type { ServerSchemas } from "./server-schemas.ts";
export type { EtcdTls } from "./storage/etcd/etcd-gateway.ts";
export { openEtcdStorage } from "./storage/etcd-storage.ts";
export type { EtcdOptions } from "./storage/etcd-storage.ts";
export { createMemoryStorage } from "./storage/memory-storage.ts";
export { readOnce } from "./storage/read-once.ts";
export { openSqliteStorage } from "./storage/sqlite-storage.ts";
export { StorageError, isStorageFailure } from "./storage/storage-error.ts";
export type { StorageFailure } from "./storage/storage-error.ts";
export type { Entry, Storage, StorageEvent } from "./storage/storage.ts";
export type { VersionedStorage } from "./storage/versioned-storage.ts";
export type { Certificate } from "./tls/certificate.ts";
export { createAuthority, issueClient, issueServing } from "./tls/certificate-authority.ts";
export type { ClientSubject, IssueOptions } from "./tls/certificate-authority.ts";
export { ClientRequestError, requestedGroups, signClientRequest } from "./tls/client-request.ts";
export type { ClientRequest } from "./tls/client-request.ts";
export { PkiError, frontProxyName, openPki } from "./tls/pki.ts";
export type { Pki, PkiOptions } from "./tls/pki.ts";
export { writePrivateFile } from "./tls/private-file.ts";
export { StructSchemas } from "./typed/struct-schema.ts";
export { mutatingWebhooks } from "./webhooks/mutating-webhooks.ts";
export { validatingWebhooks } from "./webhooks/validating-webhooks.ts";
export type { WebhookAdmission } from "./webhooks/webhook-admission.ts";
export { WebhookClient } from "./webhooks/webhook-client.ts";
export type { ServiceReference, WebhookCall, WebhookTargets } from "./webhooks/webhook-client.ts";
export { spdyResponse, wantsSpdy } from "./response/spdy-response.ts";
export type { ServeSpdy } from "./response/spdy-response.ts";
export { wantsWebSocket, webSocketResponse } from "./response/web-socket-response.ts";
export type { ServeWebSocket } from "./response/web-socket-response.ts";
export { anonymous, byRequestHeaders, systemAdmin } from "@kaji/core/serving";
export type {
  Access,
  AuthenticationConfig,
  ClientCertificate,
  Credentials,
  PathRequest,
  RequestHeaderConfig,
  RequestInfo,
  ResourceAccess,
  ResourceRequest,
  ResourceVerb,
  UserInfo,
} from "@kaji/core/serving";
