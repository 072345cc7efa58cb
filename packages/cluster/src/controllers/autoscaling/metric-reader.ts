import type { KubeClient } from "@kaji/client";
import { durationMs, isReason, parseApiVersion, parseTime, selectorOf, withGroup } from "@kaji/core";
import type { LabelSelector } from "@kaji/core";
import type { CrossVersionObjectReference, MetricIdentifier } from "@kaji/types/autoscaling/v2";
import { PodMetrics } from "../../metrics/resource-metrics.ts";
import type { ResourceUsage } from "../../metrics/resource-metrics.ts";
import { failureMessage } from "../failure-message.ts";
import { milliOf } from "./metric-amounts.ts";
import { MetricError } from "./metric-error.ts";
import type { PodValue, PodValues } from "./pod-values.ts";

/** By what metrics are read. */
export type MetricClient = Pick<KubeClient, "api" | "discovery" | "list">;

/** Reads metrics from the APIs that have them: those of resources, and those of adapters where there are any. */
export class MetricReader {
  readonly #client: MetricClient;
  readonly #namespace: string;
  readonly #signal: AbortSignal;

  constructor(client: MetricClient, namespace: string, signal: AbortSignal) {
    this.#client = client;
    this.#namespace = namespace;
    this.#signal = signal;
  }

  /** How much of a resource pods use, or one container of each. A pod of which a container does not tell it is left out. */
  async resource(name: string, selector: string, container: string | undefined): Promise<PodValues> {
    const from = "resource metrics API";
    const request = this.#client.list(PodMetrics, { namespace: this.#namespace, labelSelector: selector, signal: this.#signal });
    const { items } = await this.#read(request, from, "pods.metrics.k8s.io");
    if (items.length === 0) throw new MetricError(`no metrics returned from ${from}`);
    const values = new Map<string, PodValue>();
    for (const { metadata, timestamp, window, containers } of items) {
      const amounts = containers
        .filter((each) => container === undefined || each.name === container)
        .map(({ usage }) => (isUsageName(name) ? milliOf(usage[name]) : undefined));
      if (amounts.length === 0 || !amounts.every((amount) => amount !== undefined)) continue;
      const milli = amounts.reduce((sum, amount) => sum + amount, 0);
      values.set(metadata.name, { milli, atMs: parseTime(timestamp), windowMs: durationMs(window) });
    }
    return values;
  }

  /** What an adapter says of pods. */
  async pods(metric: MetricIdentifier, selector: string): Promise<PodValues> {
    const items = await this.#custom(`namespaces/${this.#namespace}/pods/*/${metric.name}`, metric.selector, selector);
    return new Map(
      items.map(({ describedObject, value, timestamp, windowSeconds = 60 }) => [
        describedObject.name,
        { milli: milliOf(value), atMs: parseTime(timestamp), windowMs: windowSeconds * 1000 },
      ]),
    );
  }

  /** What an adapter says of an object, in thousandths. */
  async object(metric: MetricIdentifier, { apiVersion = "", kind, name }: CrossVersionObjectReference): Promise<number> {
    const isNamespace = kind === "Namespace" && parseApiVersion(apiVersion).group === "";
    const plural = async (): Promise<string> => {
      const resource = await this.#client.discovery.resourceOf({ apiVersion, kind }, this.#signal);
      return withGroup(resource.plural, resource.group);
    };
    const path = async (): Promise<string> =>
      isNamespace
        ? `namespaces/${this.#namespace}/metrics/${metric.name}`
        : `namespaces/${this.#namespace}/${await plural()}/${name}/${metric.name}`;
    const [item] = await this.#custom(path, metric.selector);
    return milliOf(item?.value ?? "0");
  }

  /** What an adapter says of something outside the cluster, in thousandths: the sum of all that it has by that name. */
  async external({ name, selector }: MetricIdentifier): Promise<number> {
    const from = "external metrics API";
    const request = this.#client.api.json<MetricItems<ExternalValue>>({
      method: "GET",
      path: `/apis/external.metrics.k8s.io/v1beta1/namespaces/${this.#namespace}/${encodeURIComponent(name)}`,
      query: selector === undefined ? {} : { labelSelector: selectorText(selector) },
      signal: this.#signal,
    });
    const items = (await this.#read(request, from, `${name}.external.metrics.k8s.io`)).items ?? [];
    if (items.length === 0) throw new MetricError(`no metrics returned from ${from}`);
    return items.reduce((sum, { value }) => sum + milliOf(value), 0);
  }

  /** What an adapter says, in whichever version of its API. */
  async #custom(
    path: string | (() => Promise<string>),
    metricSelector: LabelSelector | undefined,
    labelSelector?: string,
  ): Promise<readonly CustomValue[]> {
    const from = "custom metrics API";
    const version = await this.#customVersion();
    if (version === undefined) {
      throw new MetricError(`unable to fetch metrics from ${from}: no custom metrics API (${customGroup}) registered`);
    }
    const request = async (): Promise<MetricItems<CustomValue>> =>
      this.#client.api.json({
        method: "GET",
        path: `/apis/${version}/${typeof path === "string" ? path : await path()}`,
        query: { labelSelector, ...(metricSelector === undefined ? {} : { metricLabelSelector: selectorText(metricSelector) }) },
        signal: this.#signal,
      });
    const items = (await this.#read(request(), from, customGroup)).items ?? [];
    if (items.length === 0) throw new MetricError(`no metrics returned from ${from}`);
    return items;
  }

  async #customVersion(): Promise<string | undefined> {
    const { groups } = await this.#client.api.json<GroupList>({ method: "GET", path: "/apis", signal: this.#signal });
    return groups.find(({ name }) => name === customGroup)?.preferredVersion.groupVersion;
  }

  async #read<T>(request: Promise<T>, from: string, resource: string): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (this.#signal.aborted) throw error;
      throw new MetricError(`unable to fetch metrics from ${from}: ${refusalText(error, resource)}`, { cause: error });
    }
  }
}

const customGroup = "custom.metrics.k8s.io";

interface GroupList {
  readonly groups: readonly { readonly name: string; readonly preferredVersion: { readonly groupVersion: string } }[];
}

interface MetricItems<T> {
  readonly items: readonly T[] | null;
}

interface CustomValue {
  readonly describedObject: { readonly name: string };
  readonly timestamp: string;
  readonly windowSeconds?: number;
  readonly value: string;
}

interface ExternalValue {
  readonly value: string;
}

/** Why nothing was read; where the server itself does not know the API, or nobody is behind it, in the words of client-go. */
function refusalText(error: unknown, resource: string): string {
  const isUnknown = isReason(error, "NotFound") && (error.details?.name ?? "") === "";
  if (isUnknown) return `the server could not find the requested resource (get ${resource})`;
  if (isReason(error, "ServiceUnavailable")) return `the server is currently unable to handle the request (get ${resource})`;
  return failureMessage(error);
}

function isUsageName(name: string): name is keyof ResourceUsage {
  return name === "cpu" || name === "memory";
}

function selectorText(selector: LabelSelector): string {
  return selectorOf(selector).toString();
}
