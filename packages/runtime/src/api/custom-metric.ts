import { formatApiVersion, refusal, resource, withGroup } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import { apiParts } from "./api.ts";
import type { ApiReads } from "./api.ts";
import type { Api } from "./served-api.ts";
import type { ApiQuestion } from "./api-question.ts";
import { measured } from "./metric-value.ts";
import type { MetricValue } from "./metric-value.ts";
import type { CachedKind } from "../webhook/webhook-cache.ts";
import type { ReadKind } from "../declare/reading-part.ts";

/** What a metric of an object is at a moment. */
export interface ObjectMetricValue extends MetricValue {
  /** The object that it is of, such as a Pod from the cache. */
  readonly object: Pick<KubeObject, "metadata">;
}

/** What is served of a metric of objects. */
export interface CustomMetricOptions<Uses extends readonly ReadKind[], Watches extends readonly CachedKind[]> extends ApiReads<
  Uses,
  Watches
> {
  /** The values in a namespace, of one object where there is a name. Those of objects that are not asked for, by name or labels, are left out after it. */
  readonly values: (question: ApiQuestion<Uses, Watches>) => Iterable<ObjectMetricValue> | Promise<Iterable<ObjectMetricValue>>;
}

const group = "custom.metrics.k8s.io";
const version = "v1beta2";
/** In the place of a name. */
const allObjects = "*";

/** Declares a metric of the objects of a kind by which HorizontalPodAutoscalers scale, under its `name`: a `Pods` metric of Pods, an `Object` metric of any. */
export function customMetric<
  const Uses extends readonly ReadKind[] = readonly [],
  const Watches extends readonly CachedKind[] = readonly [],
>(name: string, of: Resource, { values, uses, watches }: CustomMetricOptions<Uses, Watches>): Api {
  const kind = withGroup(of.plural, of.group);
  if (kind === "namespaces")
    throw new TypeError(`the metric ${name} cannot be of Namespaces, which are asked in another way: serve it as an external one`);
  const metric = resource<KubeObject>({
    group,
    version,
    kind: "MetricValueList",
    plural: `${kind}/${name}`,
    singular: `${kind}-${name}`,
    scope: of.scope,
  });
  return {
    ...apiParts(metric, { uses, watches }),
    verbs: ["get"],
    reply: async (question) => {
      const { namespace, labelSelector, metricLabelSelector, nowMs } = question;
      const wanted = question.name === allObjects ? undefined : question.name;
      const found = Array.from(await values({ ...question, name: wanted })).filter(({ object: { metadata }, labels }) => {
        if (wanted !== undefined && metadata.name !== wanted) return false;
        if (namespace !== undefined && metadata.namespace !== namespace) return false;
        return labelSelector.matches(metadata.labels) && metricLabelSelector.matches(labels);
      });
      if (wanted !== undefined && found.length === 0)
        throw refusal("NotFound", `the server could not find the metric ${name} for ${kind} ${wanted}`);
      const items = found.map(({ object: { metadata }, ...value }) => ({
        describedObject: {
          kind: of.kind,
          apiVersion: formatApiVersion(of),
          name: metadata.name,
          ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
        },
        metric: { name },
        ...measured(name, value, nowMs),
        ...(value.windowSeconds === undefined ? {} : { windowSeconds: value.windowSeconds }),
      }));
      return { type: "Document", document: { kind: metric.kind, apiVersion: `${group}/${version}`, metadata: {}, items } };
    },
  };
}
