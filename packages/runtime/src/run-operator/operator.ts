import { KubeClient } from "@kaji/client";
import type { WarningListener } from "@kaji/client";
import { isReason } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { Informers } from "@kaji/informer";
import type { InformerFailure, WatchedKind } from "@kaji/informer";
import { runController } from "../controller/controller-run.ts";
import type { RunningController } from "../controller/running-controller.ts";
import { appliedKinds } from "../declare/applied-kinds.ts";
import { kindId } from "../declare/kind-id.ts";
import { fencedTransport } from "../election/fenced-transport.ts";
import { EventSink } from "../events/event-sink.ts";
import type { HealthCheck } from "../health/health-checks.ts";
import { watchChecks } from "../health/watch-checks.ts";
import { WatchOutages } from "../health/watch-outages.ts";
import { controllerRunnable } from "../manager/controller-runnable.ts";
import { Manager } from "../manager/manager.ts";
import type { ManagerStage } from "../manager/manager.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { OperatorParts } from "./operator-parts.ts";
import { runnableOf } from "./operator-runnable.ts";
import type { OperatorServices } from "./operator-runnable.ts";
import { healthServers, metricsServers, profilingServers } from "./operator-servers.ts";
import { replicasOf } from "./replicas.ts";
import type { Replicas } from "./replicas.ts";
import { servedWebhooks } from "./served-webhooks.ts";
import type { ServedWebhooks } from "./served-webhooks.ts";
import type { ConnectedServer } from "./surroundings.ts";
import { tracedRequests } from "./traced-requests.ts";

/** Puts an operator together: a manager with all that is to run, in its stages. */
export class Operator {
  readonly manager: Manager;
  readonly #parts: OperatorParts;
  readonly #metrics: Metrics | undefined;
  readonly #outages: WatchOutages;
  readonly #client: KubeClient;
  readonly #informers: Informers;
  readonly #webhooks: ServedWebhooks | undefined;
  readonly #controllers = new Map<string, RunningController>();

  constructor(parts: OperatorParts) {
    const { options, settings, surroundings, log, main } = parts;
    const { clock, random } = surroundings;
    this.#parts = parts;
    this.#metrics = parts.optional.metrics;
    this.manager = new Manager({ clock, log, shutdownMs: settings.shutdownMs });
    this.#outages = new WatchOutages(clock, log);
    this.#client = this.#clientOf(main);
    const onFailure = (failure: InformerFailure): void => this.#logFailure(failure);
    const onRecovery = (watched: WatchedKind): void => this.#outages.answered(watched);
    this.#informers = new Informers({ source: this.#client.listerWatcher, clock, random, onFailure, onRecovery });
    this.#webhooks = servedWebhooks(parts, this.#client, this.#informers);
    const webhooks = this.#webhooks;
    if (webhooks !== undefined) this.#metrics?.mirrors.track("webhooks", webhooks);
    // When the controllers that need a leader have what they mirror.
    const warm = Promise.withResolvers<unknown>();
    const replicas = replicasOf(parts, (server) => this.#clientOf(server), warm.promise);
    const converted = (options.conversions ?? []).map(({ resource }) => resource);
    const checks = (): readonly HealthCheck[] => [
      ...watchChecks(this.#mirroring(), clock, converted),
      ...(webhooks === undefined ? [] : [webhooks.check]),
      ...replicas.checks,
    ];
    // They mirror what webhooks and controllers ask for while these run, so that they end after both.
    this.#add("servers", [{ name: "informers", run: (signal) => this.#informers.run(signal) }]);
    this.#add("servers", healthServers(parts, checks));
    this.#add("servers", metricsServers(parts, this.#client));
    this.#add("servers", profilingServers(parts));
    this.#add("webhooks", webhooks === undefined ? [] : [webhooks.runnable]);
    this.#add("election", replicas.runnables);
    this.#addControllers(replicas);
    const working = this.#controllers.values().filter(({ controller }) => controller.needsLeader);
    void Promise.all(working.map(({ synced }) => synced)).then(warm.resolve);
  }

  /** Whether the server is there and knows us, so that nothing is begun that cannot succeed. */
  async greet(signal: AbortSignal): Promise<void> {
    try {
      await this.#client.discovery.version(signal);
    } catch (error) {
      // Of a cluster that tells its version to few, roles may allow all that is to be done.
      if (!isReason(error, "Forbidden")) throw error;
    }
  }

  /** The way to a server: traced, measured and, with a fence, closed to writes once that throws. */
  #wayTo({ transport, server }: Pick<ConnectedServer, "transport" | "server">, fence?: () => void): Transport {
    const { clock } = this.#parts.surroundings;
    const sent = tracedRequests(transport);
    const measured = this.#metrics?.restClient.measure(sent, { host: hostOf(server), clock }) ?? sent;
    return fence === undefined ? measured : fencedTransport(measured, fence);
  }

  #clientOf(server: ConnectedServer, fence?: () => void): KubeClient {
    const { options, surroundings, log } = this.#parts;
    const { clock, random } = surroundings;
    const onWarning: WarningListener = (warning, { method, path }) =>
      log.warn({ warning, request: `${method} ${path}` }, "API server warning");
    const common = { clock, random, onWarning, fieldManager: options.name, userAgent: `${options.name} kaji` };
    return new KubeClient(this.#wayTo(server, fence), common);
  }

  /** The parts that mirror something. */
  #mirroring(): readonly Pick<RunningController, "mirrored">[] {
    return [...this.#controllers.values(), ...(this.#webhooks === undefined ? [] : [this.#webhooks])];
  }

  #add(stage: ManagerStage, runnables: readonly Runnable[]): void {
    for (const runnable of runnables) this.manager.add(stage, runnable);
  }

  #addControllers({ election, sharding }: Replicas): void {
    const { options, settings, surroundings, log, main } = this.#parts;
    const { clock, random, hostname } = surroundings;
    const { namespaces, concurrency, syncMs } = settings;
    const fence = election && (() => election.fence());
    const fenced = this.#clientOf(main, fence);
    const guard = sharding === undefined ? fence : () => sharding.fence();
    const guarded = sharding === undefined ? fenced : this.#clientOf(main, guard);
    const reporter = { controller: options.name, instance: hostname };
    const recorder = new EventSink({ client: this.#client, clock, random, log, reporter, onDropped: () => this.#metrics?.eventDropped() });
    this.manager.add("caches", { name: "event recorder", run: (signal) => recorder.run(signal) });
    const applied = options.controllers.flatMap(appliedKinds);
    const outward = (transport: Transport, server: string): Transport => this.#wayTo({ transport, server });
    const observer = this.#metrics?.controllers;
    const common = { informers: this.#informers, clock, random, log, recorder, observer, namespaces, applied, outward };
    const led = { ...common, elected: election?.elected, fence, abandon: this.manager.abandon };
    const shared = { ...led, fence: guard, shards: sharding?.shards };
    for (const given of options.controllers) {
      const decided = concurrency?.byController.get(given.name) ?? concurrency?.others;
      const controller = decided === undefined ? given : { ...given, concurrency: decided };
      const running = runController(controller, { ...shared, client: controller.needsLeader ? guarded : this.#client });
      this.#controllers.set(controller.name, running);
      this.#metrics?.controllers.track(running);
      this.#metrics?.mirrors.track(controller.name, running);
      this.manager.add("controllers", controllerRunnable(running, { clock, namespaces, timeoutMs: syncMs }));
    }
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
    const mirrored = this.#mirroring().flatMap((part) => part.mirrored);
    const id = kindId(failure.watched.resource);
    const failing = mirrored.filter(({ resource, state }) => state.type === "Failing" && kindId(resource) === id);
    const isExpected = failing.some(({ isAbsent, isSynced }) => isAbsent || (!isSynced && isRefusal(error)));
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
