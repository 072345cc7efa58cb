import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Clock, Transport } from "@kaji/core";

/** As in client-go. */
const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** What requests to the API server come to. */
export class RestClientMetrics {
  readonly #requests: Counter<"code" | "method" | "host">;
  readonly #durations: Histogram<"verb" | "host">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: "rest_client_requests_total",
      help: "Requests by the code of their response, or <error> when there was none.",
      labelNames: ["code", "method", "host"],
      registers,
    });
    this.#durations = new Histogram({
      name: "rest_client_request_duration_seconds",
      help: "How long it took until a response began.",
      labelNames: ["verb", "host"],
      buckets: durationBuckets,
      registers,
    });
  }

  /** A transport whose requests, each attempt of them, are counted. */
  measure(transport: Transport, { host, clock }: { readonly host: string; readonly clock: Clock }): Transport {
    return async (request) => {
      const { method } = request;
      const startMs = clock.monotonic();
      try {
        const response = await transport(request);
        this.#requests.inc({ code: String(response.status), method, host });
        return response;
      } catch (error) {
        this.#requests.inc({ code: "<error>", method, host });
        throw error;
      } finally {
        this.#durations.observe({ verb: method, host }, (clock.monotonic() - startMs) / 1000);
      }
    };
  }
}
