import { Quantity, formatTime, resource } from "@kaji/core";
import type { KubeObject, Labels } from "@kaji/core";
import { apiParts } from "./api.ts";
import type { Api, ApiQuestion, ApiReads } from "./api.ts";
import type { CachedKind } from "../webhook/webhook-cache.ts";
import type { ReadKind } from "../webhook/webhook-reads.ts";

/** What a metric is at a moment. Metrics of one name are told apart by their labels. */
export interface MetricValue {
  readonly labels?: Labels;
  /** A number, or a quantity such as `250m`. */
  readonly value: number | string;
  /** When it was measured. Default: now. */
  readonly timestampMs?: number;
  /** Over how long, where it is a rate. */
  readonly windowSeconds?: number;
}

/** What is served of a metric. */
export interface ExternalMetricOptions<Uses extends readonly ReadKind[], Watches extends readonly CachedKind[]> extends ApiReads<
  Uses,
  Watches
> {
  /** The values in a namespace. Those whose labels are not asked for are left out after it. */
  readonly values: (question: ApiQuestion<Uses, Watches>) => Iterable<MetricValue> | Promise<Iterable<MetricValue>>;
}

const group = "external.metrics.k8s.io";
const version = "v1beta1";

/** Declares a metric by which HorizontalPodAutoscalers scale, under its `name`: an `External` metric with the labels of its selector. */
export function externalMetric<
  const Uses extends readonly ReadKind[] = readonly [],
  const Watches extends readonly CachedKind[] = readonly [],
>(name: string, { values, uses, watches }: ExternalMetricOptions<Uses, Watches>): Api {
  const metric = resource<KubeObject>({
    group,
    version,
    kind: "ExternalMetricValueList",
    plural: name,
    singular: name,
    scope: "Namespaced",
  });
  return {
    ...apiParts(metric, { uses, watches }),
    verbs: ["list"],
    reply: async (question) => {
      const found = Array.from(await values(question)).filter(({ labels }) => question.labelSelector.matches(labels));
      const items = found.map(({ labels = {}, value, timestampMs = question.nowMs, windowSeconds }) => ({
        metricName: name,
        metricLabels: labels,
        timestamp: formatTime(timestampMs),
        ...(windowSeconds === undefined ? {} : { window: windowSeconds }),
        value: quantityOf(name, value),
      }));
      return { type: "Document", document: { kind: metric.kind, apiVersion: `${group}/${version}`, metadata: {}, items } };
    },
  };
}

/** As text, to the thousandth: no more than that do HorizontalPodAutoscalers know of. */
function quantityOf(name: string, value: number | string): string {
  const text = typeof value === "number" && Number.isFinite(value) ? value.toFixed(3).replace(/\.?0+$/, "") : String(value);
  try {
    return Quantity.parse(text).toString();
  } catch (cause) {
    throw new TypeError(`the metric ${name} has the value ${text}, which is no quantity`, { cause });
  }
}
