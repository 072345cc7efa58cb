import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { WebhookObserver } from "../webhook/webhook-handler.ts";

/** What webhooks do, under controller-runtime's names. */
export class WebhookMetrics implements WebhookObserver {
  readonly #requests: Counter<"webhook" | "code">;
  readonly #latency: Histogram<"webhook">;
  readonly #inFlight: Gauge<"webhook">;
  readonly #panics: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: "controller_runtime_webhook_requests_total",
      help: "Requests by the code of their response.",
      labelNames: ["webhook", "code"],
      registers,
    });
    this.#latency = new Histogram({
      name: "controller_runtime_webhook_latency_seconds",
      help: "How long responses took.",
      labelNames: ["webhook"],
      registers,
    });
    this.#inFlight = new Gauge({
      name: "controller_runtime_webhook_requests_in_flight",
      help: "Requests that are being answered.",
      labelNames: ["webhook"],
      registers,
    });
    this.#panics = new Counter({
      name: "controller_runtime_webhook_panics_total",
      help: "Handlers that failed rather than decided.",
      registers,
    });
  }

  requestBegun(webhook: string): void {
    this.#inFlight.inc({ webhook });
  }

  requestDone(webhook: string, code: number, durationMs: number): void {
    this.#inFlight.dec({ webhook });
    this.#requests.inc({ webhook, code: String(code) });
    this.#latency.observe({ webhook }, durationMs / 1000);
  }

  panicked(_webhook: string): void {
    this.#panics.inc();
  }
}
