import { Counter, Gauge, Registry, collectDefaultMetrics, register as defaultRegistry } from "prom-client";
import { ControllerMetrics } from "./controller-metrics.ts";
import { MirrorMetrics } from "./mirror-metrics.ts";
import { RestClientMetrics } from "./rest-client-metrics.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";

/** The metrics of one operator, under the names that controller-runtime gave them, so that its dashboards and alerts work. */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly controllers: ControllerMetrics;
  readonly mirrors: MirrorMetrics;
  readonly restClient: RestClientMetrics;
  readonly webhooks: WebhookMetrics;
  readonly #masterStatus: Gauge<"name">;
  readonly #shardsHeld: Gauge<"name">;
  readonly #shardReplicas: Gauge<"name">;
  readonly #droppedEvents: Counter;
  readonly #blocked: Counter;

  constructor() {
    const registers = [this.registry];
    this.controllers = new ControllerMetrics(this.registry);
    this.mirrors = new MirrorMetrics(this.registry);
    this.restClient = new RestClientMetrics(this.registry);
    this.webhooks = new WebhookMetrics(this.registry);
    this.#masterStatus = new Gauge({
      name: "leader_election_master_status",
      help: "Whether this process holds the lease of that name: 1 if so, 0 if not.",
      labelNames: ["name"],
      registers,
    });
    this.#shardsHeld = new Gauge({
      name: "kaji_shards_held",
      help: "How many shards of the operator of that name this process holds.",
      labelNames: ["name"],
      registers,
    });
    this.#shardReplicas = new Gauge({
      name: "kaji_shard_replicas",
      help: "How many replicas share the shards of the operator of that name, as far as this process knows.",
      labelNames: ["name"],
      registers,
    });
    this.#droppedEvents = new Counter({
      name: "kaji_events_dropped_total",
      help: "Events that were given up, since there were too many or the server did not take them.",
      registers,
    });
    this.#blocked = new Counter({
      name: "kaji_event_loop_blocked_seconds_total",
      help: "How long the event loop stood still, so that the lease could not be renewed.",
      registers,
    });
  }

  /** Also tells from now on how the process is doing: CPU, memory, event loop. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Whether we hold the lease of that name. */
  setLeading(lease: string, isLeading: boolean): void {
    this.#masterStatus.set({ name: lease }, isLeading ? 1 : 0);
  }

  /** How many shards we hold, and how many replicas share them. */
  setShards(operator: string, held: number, replicas: number): void {
    this.#shardsHeld.set({ name: operator }, held);
    this.#shardReplicas.set({ name: operator }, replicas);
  }

  eventDropped(): void {
    this.#droppedEvents.inc();
  }

  blocked(blockedMs: number): void {
    this.#blocked.inc(blockedMs / 1000);
  }

  /** All of them in Prometheus' text form, and those of the program itself, which are in the registry that prom-client has by default. Under one name there is ours. */
  async text(): Promise<{ readonly body: string; readonly contentType: string }> {
    const names = defaultRegistry.getMetricsAsArray().map(({ name }) => name);
    const others = names.filter((name) => this.registry.getSingleMetric(name) === undefined);
    const texts = await Promise.all([this.registry.metrics(), ...others.map((name) => defaultRegistry.getSingleMetricAsString(name))]);
    return { body: texts.map((text) => text.trimEnd() + "\n").join("\n"), contentType: this.registry.contentType };
  }
}
