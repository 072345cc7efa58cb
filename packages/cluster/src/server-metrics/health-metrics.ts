import type { HealthName } from "@kaji/apiserver";
import { labelsText } from "./metric-family.ts";
import type { MetricFamily } from "./metric-family.ts";

/** Counts the health checks of a server. All succeed: a server that is not well does not answer. */
export class HealthMetrics {
  /** How often each check was done, by where it was asked for. */
  readonly #counts = new Map<HealthName, Map<string, number>>();

  add(type: HealthName, name: string): void {
    const counts = this.#counts.get(type) ?? new Map<string, number>();
    this.#counts.set(type, counts.set(name, (counts.get(name) ?? 0) + 1));
  }

  families(): readonly MetricFamily[] {
    const counted = [...this.#counts].flatMap(([type, counts]) => [...counts].map(([name, count]) => ({ type, name, count })));
    const [last, total] = ["kubernetes_healthcheck", "kubernetes_healthchecks_total"];
    return [
      {
        name: last,
        type: "gauge",
        help: "Whether a health check succeeded when it was last done.",
        samples: counted.map(({ type, name }) => `${last}${labelsText({ name, type })} 1`),
      },
      {
        name: total,
        type: "counter",
        help: "How often a health check was done, by how it ended.",
        samples: counted.map(({ type, name, count }) => `${total}${labelsText({ name, status: "success", type })} ${count}`),
      },
    ];
  }
}
