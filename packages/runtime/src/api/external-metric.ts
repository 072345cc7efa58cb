import { resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { apiParts } from "./api.ts";
import type { ApiReads } from "./api.ts";
import type { Api } from "./served-api.ts";
import type { ApiQuestion } from "./api-question.ts";
import { measured } from "./metric-value.ts";
import type { MetricValue } from "./metric-value.ts";
import type { CachedKind } from "../webhook/webhook-cache.ts";
import type { ReadKind } from "../declare/reading-part.ts";

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
      const items = found.map((each) => ({
        metricName: name,
        metricLabels: each.labels ?? {},
        ...measured(name, each, question.nowMs),
        ...(each.windowSeconds === undefined ? {} : { window: each.windowSeconds }),
      }));
      return { type: "Document", document: { kind: metric.kind, apiVersion: `${group}/${version}`, metadata: {}, items } };
    },
  };
}
