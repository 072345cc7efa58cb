import { join } from "node:path";
import { KubeClient } from "@kaji/client";
import { isReason } from "@kaji/core";
import { Informers } from "@kaji/informer";
import type { InformerFailure, WatchedKind } from "@kaji/informer";
import type { OperatorDeclaration } from "../declare/define-operator.ts";
import type { ElectionTiming } from "../election/election-timing.ts";
import { fencedTransport } from "../election/fenced-transport.ts";
import { LeaderElection } from "../election/leader-election.ts";
import { leaseStore } from "../election/lease-store.ts";
import { EventSink } from "../events/event-sink.ts";
import { answerHealth } from "../health/health-checks.ts";
import type { HealthCheck } from "../health/health-checks.ts";
import { WatchBoard } from "../health/watch-board.ts";
import { watchChecks } from "../health/watch-checks.ts";
import { WatchOutages } from "../health/watch-outages.ts";
import type { Log } from "../log/log.ts";
import { controllerRunnable } from "../manager/controller-runnable.ts";
import { httpServer } from "../manager/http-server.ts";
import type { HttpHandler } from "../manager/http-server.ts";
import { Manager } from "../manager/manager.ts";
import { AccessReview } from "../metrics/access-review.ts";
import { answerMetrics } from "../metrics/answer-metrics.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { SelfSignedCertificate } from "../metrics/self-signed-certificate.ts";
import { runController } from "../controller/controller-run.ts";
import type { RunningController } from "../controller/running-controller.ts";
import { Sharding } from "../sharding/sharding.ts";
import { shardLeaseStore } from "../sharding/shard-lease-store.ts";
import { CertificateFiles } from "../webhook/certificate-files.ts";
import type { WebhookTarget } from "../webhook/webhook-configuration.ts";
import { runnableOf } from "./operator-runnable.ts";
import type { OperatorRunnable, OperatorServices } from "./operator-runnable.ts";
import type { OperatorSettings } from "./operator-settings.ts";
import type { OptionalParts } from "./optional-parts.ts";
import { refusedLease, refusedWebhooks } from "./startup-refusals.ts";
import type { ConnectedServer, Surroundings } from "./surroundings.ts";
import { tracedRequests } from "./traced-requests.ts";

/** What an operator is made of, and what else runs with it. */
export interface RunOptions extends OperatorDeclaration {
  /** Further parts of the program. */
  readonly runnables?: readonly OperatorRunnable[] | undefined;
  /** What else has to be well for it to be ready: `/readyz` fails until it is. */
  readonly readiness?: readonly HealthCheck[] | undefined;
  /** What has to be well for it to live: `/healthz` and `/livez` fail while it is not, and the kubelet restarts it. */
  readonly liveness?: readonly HealthCheck[] | undefined;
  /** What else is served beside `/metrics`, by path, and to the same people. */
  readonly metricsHandlers?: Readonly<Record<string, HttpHandler>> | undefined;
  /** Times of the election. Default: those of client-go, 15, 10 and 2 s. */
  readonly electionTiming?: ElectionTiming | undefined;
}

/** What an operator is made of in a process. */
export interface OperatorParts {
  readonly options: RunOptions;
  readonly settings: OperatorSettings;
  readonly surroundings: Pick<Surroundings, "clock" | "random" | "hostname" | "env">;
  readonly log: Log;
  readonly main: ConnectedServer;
  /** Has a connection of its own, so that no other request can delay a renewal. Undefined: no election. */
  readonly election: ConnectedServer | undefined;
  /** What not every operator has, and only then is loaded. */
  readonly optional: OptionalParts;
}

/** Puts an operator together: a manager with all that is to run, in its stages. */
export class Operator {
  readonly manager: Manager;
  readonly #parts: OperatorParts;
  readonly #metrics: Metrics | undefined;
  readonly #board: WatchBoard;
  readonly #outages: WatchOutages;
  readonly #client: KubeClient;
  readonly #controllers = new Map<string, RunningController>();
  /** Further checks of `/readyz`. */
  readonly #readiness: HealthCheck[] = [];
  /** Resolved when the controllers that need a leader have what they mirror. */
  readonly #warm = Promise.withResolvers<unknown>();

  constructor(parts: OperatorParts) {
    const { settings, surroundings, log, main } = parts;
    const { clock } = surroundings;
    this.#parts = parts;
    this.#metrics = parts.optional.metrics;
    this.manager = new Manager({ clock, log, shutdownMs: settings.shutdownMs });
    this.#board = new WatchBoard(clock);
    this.#outages = new WatchOutages(clock, parts.log);
    this.#client = this.#clientOf(main);
    this.#addHealth();
    this.#addMetrics();
    this.#addProfiling();
    this.#addWebhooks();
    const sharding = this.#addSharding();
    this.#addControllers(this.#addElection(sharding), sharding);
  }

  /** Whether the server is there and lets us in, so that nothing is begun that cannot succeed. */
  async greet(signal: AbortSignal): Promise<void> {
    await this.#client.discovery.version(signal);
  }

  #clientOf({ transport, server }: ConnectedServer, fence?: () => void): KubeClient {
    const { options, surroundings, log } = this.#parts;
    const { clock, random } = surroundings;
    const sent = tracedRequests(transport);
    const measured = this.#metrics?.restClient.measure(sent, { host: hostOf(server), clock }) ?? sent;
    const onWarning = (text: string): void => log.warn({ warning: text }, "API server warning");
    const common = { clock, random, onWarning, fieldManager: options.name, userAgent: `${options.name} kaji` };
    return new KubeClient(fence === undefined ? measured : fencedTransport(measured, fence), common);
  }

  #addHealth(): void {
    const { settings, options, surroundings, log } = this.#parts;
    const { healthAddress: address } = settings;
    if (address === undefined) return;
    const { readiness = [], liveness = [], conversions = [] } = options;
    const converted = conversions.map(({ resource }) => resource);
    const alive: readonly HealthCheck[] = [{ name: "ping", check: () => ({ ok: true }) }, ...liveness];
    const watches = (): readonly HealthCheck[] => watchChecks(this.#controllers.values(), this.#board, surroundings.clock, converted);
    const ready = (): readonly HealthCheck[] => [...alive, ...watches(), ...this.#readiness, ...readiness];
    const paths = { healthz: () => alive, livez: () => alive, readyz: ready };
    const remedy = "choose another with --health-address, or 0 for none";
    this.manager.add("servers", httpServer({ name: "health", address, remedy, log, answer: (question) => answerHealth(paths, question) }));
  }

  #addMetrics(): void {
    const { settings, options, surroundings, log } = this.#parts;
    const { metricsAddress, metricsAuth } = settings;
    const { clock } = surroundings;
    const metrics = this.#metrics;
    if (metricsAddress === undefined || metrics === undefined) return;
    metrics.collectProcess();
    const review = metricsAuth ? new AccessReview({ client: this.#client, clock }) : undefined;
    const certificates = this.#metricsCertificates();
    if (certificates !== undefined)
      this.manager.add("servers", { name: "certificate of metrics", run: (signal) => certificates.run(signal) });
    const remedy = "choose another with --metrics-address, or 0 for none";
    this.manager.add(
      "servers",
      httpServer({
        name: "metrics",
        address: metricsAddress,
        remedy,
        certificates,
        log,
        answer: (question) => answerMetrics(metrics, question, { review, handlers: options.metricsHandlers }),
      }),
    );
  }

  /** Undefined: metrics are served in the clear. */
  #metricsCertificates(): CertificateFiles | SelfSignedCertificate | undefined {
    const { settings, options, surroundings, log, optional } = this.#parts;
    const { clock, random } = surroundings;
    const { metricsCertificate: files } = settings;
    if (files !== undefined) return new CertificateFiles({ ...files, clock, log });
    const names = [`${options.name}-metrics.${this.#namespace}.svc`, "localhost"];
    return optional.selfSigned === undefined ? undefined : new optional.selfSigned({ names, clock, random });
  }

  #addProfiling(): void {
    const { settings, surroundings, log, optional } = this.#parts;
    const { profilingAddress: address } = settings;
    if (address === undefined || optional.profiling === undefined) return;
    const profiling = new optional.profiling(surroundings.clock);
    const remedy = "choose another with --profiling-address";
    this.manager.add("servers", httpServer({ name: "profiles", address, remedy, log, answer: (question) => profiling.answer(question) }));
  }

  #addWebhooks(): void {
    const { options, settings, surroundings, log, optional } = this.#parts;
    const { name, webhooks = [], conversions = [] } = options;
    if (optional.operatorWebhooks === undefined) return;
    const { clock, random } = surroundings;
    const { webhookAddress, webhookUrl, webhookCertificates: folder, webhookClientCa } = settings;
    const namespace = this.#namespace;
    const target: WebhookTarget =
      webhookUrl === undefined ? { type: "Service", namespace, name: `${name}-webhook` } : { type: "Url", url: webhookUrl };
    const certificateFiles = folder === undefined ? undefined : { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
    const common = { name, client: this.#client, namespace, clock, random, log, observer: this.#metrics?.webhooks };
    const serving = optional.operatorWebhooks({
      ...common,
      ...webhookAddress,
      webhooks,
      conversions,
      target,
      certificateFiles,
      clientCaFile: webhookClientCa,
    });
    this.manager.add("webhooks", { ...serving, run: (signal) => serving.run(signal).catch(refusedWebhooks) });
    let isServing = false;
    void serving.ready.then(() => (isServing = true));
    const check: HealthCheck["check"] = () => (isServing ? { ok: true } : { ok: false, reason: "they are not served yet" });
    this.#readiness.push({ name: "webhooks", check });
  }

  /** The one we run in. */
  get #namespace(): string {
    return this.#parts.surroundings.env["POD_NAMESPACE"] ?? this.#parts.main.namespace;
  }

  get #leaseNamespace(): string {
    return this.#parts.settings.leaderElectionNamespace ?? this.#namespace;
  }

  /** Undefined: replicas do not share objects. */
  #addSharding(): Sharding | undefined {
    const { options, settings, surroundings, election: connected, log } = this.#parts;
    const { shards: count } = settings;
    if (connected === undefined || count === undefined) return undefined;
    const { clock, random, hostname } = surroundings;
    const namespace = this.#leaseNamespace;
    const { name, electionTiming } = options;
    const sharding = new Sharding({
      ...electionTiming,
      store: shardLeaseStore(this.#clientOf(connected), namespace, name),
      count,
      identity: `${hostname}_${random.uuid()}`,
      clock,
      random,
      log,
      warm: this.#warm.promise,
      onStanding: (held, replicas) => this.#metrics?.setShards(name, held, replicas),
      onBlocked: (blockedMs) => this.#metrics?.blocked(blockedMs),
    });
    this.#metrics?.setShards(name, 0, 0);
    const run = (signal: AbortSignal): Promise<void> =>
      sharding.run(signal).catch((error: unknown) => refusedLease(error, namespace, "sharding"));
    this.manager.add("election", { name: "sharding", run });
    let hasJoined = false;
    void sharding.joined.then(() => (hasJoined = true));
    // One that waits for others to end is ready, or a Deployment would never end them.
    const check: HealthCheck["check"] = () =>
      hasJoined || sharding.isWaiting ? { ok: true } : { ok: false, reason: "this replica has not joined the others yet" };
    this.#readiness.push({ name: "shards", check });
    return sharding;
  }

  /** Undefined: there is no leader, or nothing that needs one, since the controllers share objects. */
  #addElection(sharding: Sharding | undefined): LeaderElection | undefined {
    const { options, surroundings, election: connected, log } = this.#parts;
    const { runnables = [] } = options;
    if (connected === undefined || (sharding !== undefined && !runnables.some(({ needsLeader }) => needsLeader))) return undefined;
    const { clock, random, hostname } = surroundings;
    const namespace = this.#leaseNamespace;
    const { name } = options;
    const election = new LeaderElection({
      ...options.electionTiming,
      store: leaseStore(this.#clientOf(connected), { namespace, name }),
      identity: `${hostname}_${random.uuid()}`,
      clock,
      random,
      log: log.child({ lease: `${namespace}/${name}` }),
      onLeading: (isLeading) => this.#metrics?.setLeading(name, isLeading),
      onBlocked: (blockedMs) => this.#metrics?.blocked(blockedMs),
    });
    this.#metrics?.setLeading(name, false);
    this.manager.add("election", {
      name: "leader election",
      run: (signal) => election.run(signal).catch((error: unknown) => refusedLease(error, namespace, "leader election")),
    });
    return election;
  }

  #addControllers(election: LeaderElection | undefined, sharding: Sharding | undefined): void {
    const { options, settings, surroundings, log, main } = this.#parts;
    const { clock, random, hostname } = surroundings;
    const { namespaces, concurrency, syncMs } = settings;
    const fence = election && (() => election.fence());
    const fenced = this.#clientOf(main, fence);
    const guarded = sharding === undefined ? fenced : this.#clientOf(main, () => sharding.fence());
    const onFailure = (failure: InformerFailure): void => this.#logFailure(failure);
    const onRecovery = (watched: WatchedKind): void => this.#outages.answered(watched);
    const informers = new Informers({ source: this.#board.observe(this.#client.listerWatcher), clock, random, onFailure, onRecovery });
    const reporter = { controller: options.name, instance: hostname };
    const recorder = new EventSink({ client: this.#client, clock, random, log, reporter, onDropped: () => this.#metrics?.eventDropped() });
    this.manager.add("caches", { name: "informers", run: (signal) => informers.run(signal) });
    this.manager.add("caches", { name: "event recorder", run: (signal) => recorder.run(signal) });
    const common = { informers, clock, random, log, recorder, observer: this.#metrics?.controllers, namespaces };
    const led = { ...common, elected: election?.elected, fence, abandon: this.manager.abandon };
    const shared = { ...led, shards: sharding?.shards };
    for (const given of options.controllers) {
      const decided = concurrency?.byController.get(given.name) ?? concurrency?.others;
      const controller = decided === undefined ? given : { ...given, concurrency: decided };
      const running = runController(controller, { ...shared, client: controller.needsLeader ? guarded : this.#client });
      this.#controllers.set(controller.name, running);
      this.#metrics?.controllers.track(running);
      this.manager.add("controllers", controllerRunnable(running, { clock, namespaces, timeoutMs: syncMs }));
    }
    const working = this.#controllers.values().filter(({ controller }) => controller.needsLeader);
    void Promise.all(working.map(({ synced }) => synced)).then(this.#warm.resolve);
    for (const part of options.runnables ?? []) {
      const { needsLeader = false } = part;
      const own = needsLeader ? { ...led, client: fenced } : { ...shared, client: this.#client };
      const services: OperatorServices = { ...own, controllers: this.#controllers };
      this.manager.add(needsLeader ? "controllers" : "caches", runnableOf(part, services));
    }
  }

  /** Failures of the server are retried, and shown by `/readyz` too; all other types are bugs of the operator's own code. */
  #logFailure(failure: InformerFailure): void {
    const { log } = this.#parts;
    const { type, error, ...rest } = failure;
    if (failure.type !== "Server") return log.error({ err: error, of: type, ...rest }, "informer callback threw");
    const mirrored = this.#controllers.values().flatMap((running) => running.mirrored);
    const failing = mirrored.find(({ state }) => state.type === "Failing" && state.error === error);
    const isExpected = failing !== undefined && (failing.isAbsent || (!failing.isSynced && isRefusal(error)));
    this.#outages[isExpected ? "expected" : "failed"](failure.watched, error, failure.retryInMs);
  }
}

/** A refusal that ends the program at the start, and is told then with what to do about it. */
function isRefusal(error: unknown): boolean {
  return isReason(error, "Forbidden", "NotFound", "MethodNotAllowed", "Unauthorized");
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}
