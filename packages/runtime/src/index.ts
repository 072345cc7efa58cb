export { api } from "./api/api.ts";
export type { ApiOptions, ApiReads, ServedObject } from "./api/api.ts";
export type { Api } from "./api/served-api.ts";
export type { AnyApiQuestion, ApiQuestion, ApiReply } from "./api/api-question.ts";
export { apiHandler } from "./api/api-handler.ts";
export type { ApiAccess, ApiHandlerOptions, ServedHandler } from "./api/served-api.ts";
export { apiServices, groupVersions } from "./api/api-services.ts";
export type { ApiServiceOptions } from "./api/api-services.ts";
export { delegatedAccess } from "./api/delegated-access.ts";
export { customMetric } from "./api/custom-metric.ts";
export type { CustomMetricOptions, ObjectMetricValue } from "./api/custom-metric.ts";
export { externalMetric } from "./api/external-metric.ts";
export type { ExternalMetricOptions } from "./api/external-metric.ts";
export type { MetricValue } from "./api/metric-value.ts";
export { FrontProxy } from "./api/front-proxy.ts";
export type { FrontProxyOptions } from "./api/front-proxy.ts";
export type { ApiRow, Cell } from "./api/object-table.ts";
export type { OperatorApis } from "./api/served-api.ts";
export type { OtherCluster } from "./clusters/other-cluster.ts";
export { OtherClusters } from "./clusters/other-clusters.ts";
export type { ClusterClientOptions, ClusterListener, ClustersHost, OtherClustersOptions } from "./clusters/other-clusters.ts";
export type { ControllerEnvironment } from "./controller/controller-environment.ts";
export type { ControllerObserver, ReconcileEnd } from "./controller/controller-observer.ts";
export { runController } from "./controller/controller-run.ts";
export { forOwner } from "./controller/key-routing.ts";
export type { AddedWatch, ControllerLoad, MirroredKind, RunningController } from "./controller/running-controller.ts";
export type { DeclaredAccess, NotDeclared, Remedies } from "./declare/access.ts";
export { anyKind, isOfAnyKind } from "./declare/any-kind.ts";
export type { AnyKind } from "./declare/any-kind.ts";
export { owned, use, watch } from "./declare/declarations.ts";
export type {
  DeclaredPermission,
  KindSelection,
  MappingReads,
  OptionalKind,
  Owned,
  OwnedOptions,
  ReadVerb,
  SubresourceVerb,
  Used,
  Verb,
  Watched,
  WatchedOptions,
  WriteVerb,
} from "./declare/declarations.ts";
export { defineController } from "./declare/define-controller.ts";
export type { ContextOf, Controller, ControllerOptions } from "./declare/define-controller.ts";
export { defineOperator } from "./run-operator/define-operator.ts";
export type { OperatorDeclaration, OperatorDefinition, OperatorPlace, OwnManifests } from "./run-operator/define-operator.ts";
export { missingDeclaration } from "./declare/missing-declaration.ts";
export { permissionsOf } from "./declare/permissions.ts";
export type { Permission } from "./declare/permissions.ts";
export {
  and,
  annotationsChanged,
  generationChanged,
  labelsChanged,
  matching,
  not,
  or,
  resourceVersionChanged,
} from "./declare/predicate.ts";
export type { ObjectChange, Predicate } from "./declare/predicate.ts";
export type { Prioritized } from "./declare/priority.ts";
export { TerminalError, recheckAfter, requeue, requeueAfter, terminal } from "./declare/result.ts";
export type { DelayOptions, RequeueOptions, Result } from "./declare/result.ts";
export type { Source, SourceContext } from "./declare/source.ts";
export { UndeclaredError } from "./declare/undeclared-error.ts";
export { UngrantedError } from "./declare/ungranted-error.ts";
export type { ElectionTiming } from "./election/election-timing.ts";
export { fencedTransport } from "./election/fenced-transport.ts";
export { LeaderElection } from "./election/leader-election.ts";
export type { LeaderElectionOptions } from "./election/leader-election.ts";
export { LeaseLostError } from "./election/lease-lost-error.ts";
export type { LeaseLoss } from "./election/lease-lost-error.ts";
export { leaseStore } from "./election/lease-store.ts";
export type { LeaseStore } from "./election/lease-store.ts";
export { WorkLeftError } from "./election/work-left-error.ts";
export type { EventRecorder, RecordedEvent } from "./events/event-recorder.ts";
export type { Reporter } from "./events/event-series.ts";
export { EventSink } from "./events/event-sink.ts";
export type { EventSinkOptions } from "./events/event-sink.ts";
export type { Health, HealthCheck } from "./health/health-checks.ts";
export { createLog } from "./log/create-log.ts";
export type { LogLevel, LogOptions, LogTarget } from "./log/create-log.ts";
export type { Log, LogLine } from "./log/log.ts";
export type { HttpHandler, HttpRequest } from "./manager/http-server.ts";
export type { HttpReply } from "./manager/http-reply.ts";
export { Manager } from "./manager/manager.ts";
export type { ManagerOptions, ManagerStage } from "./manager/manager.ts";
export type { Runnable } from "./manager/runnable.ts";
export type { ControllerMetrics, MeasuredController } from "./metrics/controller-metrics.ts";
export { Metrics } from "./metrics/metrics.ts";
export type { RestClientMetrics } from "./metrics/rest-client-metrics.ts";
export type { WebhookMetrics } from "./metrics/webhook-metrics.ts";
export { exponentialBackoff, fastThenSlow, slowestOf, tokenBucket, withMaxWait } from "./queue/rate-limiter.ts";
export type { Backoff, BackoffOptions, FastSlowOptions, RateLimiter } from "./queue/rate-limiter.ts";
export { WorkQueue } from "./queue/work-queue.ts";
export type { KeyLease, QueueObserver, WorkQueueOptions } from "./queue/work-queue.ts";
export { effectName } from "./declare/effect.ts";
export type { EffectName } from "./declare/effect.ts";
export type { Effect, Undo } from "./declare/effect.ts";
export { DeadlineError } from "./declare/deadline-error.ts";
export type {
  CacheReads,
  ChildOptions,
  LiveReads,
  LogReads,
  ReconcileContext,
  ScaleReads,
  StatusOf,
  Writes,
} from "./declare/reconcile-context.ts";
export type { CountedOutcome, ReconcileOutcome } from "./reconcile/reconcile-outcome.ts";
export { reconcileChannel } from "./reconcile/reconcile-report.ts";
export type {
  FinalizerChange,
  ReconcileReport,
  ReportedCall,
  ReportedObject,
  ReportedRead,
  ReportedWrite,
  Trigger,
} from "./reconcile/reconcile-report.ts";
export type { OperatorRunnable, OperatorServices } from "./run-operator/operator-runnable.ts";
export type { RunOptions } from "./run-operator/operator-parts.ts";
export { runOperator } from "./run-operator/run-operator.ts";
export type { ConnectedServer, Surroundings } from "./run-operator/surroundings.ts";
export type { ShardGate } from "./sharding/shard-gate.ts";
export { shardLeaseStore, shardLeaseVerbs } from "./sharding/shard-lease-store.ts";
export type { LeaseSnapshot, ShardLeaseStore } from "./sharding/shard-lease-store.ts";
export type { LeaseTitle } from "./sharding/shard-lease.ts";
export { shardOf } from "./sharding/shard-of.ts";
export { Sharding } from "./sharding/sharding.ts";
export type { ShardingOptions } from "./sharding/sharding.ts";
export { every } from "./sources/every.ts";
export { eventChannel, externalEvents } from "./sources/external-events.ts";
export type { EventChannel } from "./sources/external-events.ts";
export { fromAsyncIterable } from "./sources/from-async-iterable.ts";
export type { StreamOptions } from "./sources/from-async-iterable.ts";
export { fromClusters } from "./clusters/from-clusters.ts";
export type { ClustersSourceOptions } from "./clusters/from-clusters.ts";
export { fromInformer } from "./sources/from-informer.ts";
export type { InformerSourceOptions } from "./sources/from-informer.ts";
export { poll } from "./sources/poll.ts";
export type { PollOptions } from "./sources/poll.ts";
export type { AdmissionEndpoint, AnyWriteContext } from "./webhook/admission-endpoint.ts";
export type { AdmissionRequest } from "./webhook/admission-request.ts";
export type { CertificateSource } from "./certificates/certificate-source.ts";
export type { Certificate } from "./certificates/certificate.ts";
export { ConversionError, convert } from "./conversion/convert.ts";
export type { Checked, Conversion, Loss, Mappings } from "./conversion/convert.ts";
export type { FieldMapper, FieldMapping } from "./conversion/field-mapping.ts";
export { operatorWebhooks } from "./webhook/operator-webhooks.ts";
export type { OperatorWebhooks, OperatorWebhooksOptions } from "./webhook/operator-webhooks.ts";
export { conversionStrategy, webhookConfigurations, webhookService } from "./webhook/webhook-configuration.ts";
export type { WebhookConfigurationOptions, WebhookConfigurations, WebhookTarget } from "./webhook/webhook-configuration.ts";
export type { ReadingPart } from "./declare/reading-part.ts";
export { webhookHandler } from "./webhook/webhook-handler.ts";
export type { WebhookHandlerOptions, WebhookObserver } from "./webhook/webhook-handler.ts";
export { webhookPermissions } from "./webhook/webhook-permissions.ts";
export type { NarrowPermission } from "./webhook/webhook-permissions.ts";
export type { CachedBy, CachedKind, WebhookCache } from "./webhook/webhook-cache.ts";
export { WebhookMirrors } from "./webhook/webhook-mirrors.ts";
export type { WebhookMirrorsOptions } from "./webhook/webhook-mirrors.ts";
export type { WebhookReader, WebhookReads } from "./webhook/webhook-reads.ts";
export type { ReadKind } from "./declare/reading-part.ts";
export type { WebhookServerOptions } from "./webhook/webhook-server.ts";
export { webhook } from "./webhook/webhook.ts";
export type { Webhook } from "./webhook/webhook.ts";
export type {
  AdmissionContext,
  FieldErrors,
  ObjectOperation,
  WebhookMatching,
  WebhookOptions,
  WholeSubresource,
  Writable,
  WriteContext,
} from "./webhook/webhook-options.ts";
export { ChildConflictError } from "./writes/child-conflict-error.ts";
export { createOrUpdate } from "./writes/create-or-update.ts";
export { Counter, Gauge, Histogram, Summary } from "prom-client";
