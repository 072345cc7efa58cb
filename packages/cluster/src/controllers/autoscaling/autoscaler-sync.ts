import { ParseError, parseSelector } from "@kaji/core";
import type { Selector } from "@kaji/core";
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerStatus, MetricStatus } from "@kaji/types/autoscaling/v2";
import type { Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import { MetricReader } from "./metric-reader.ts";
import type { MetricClient } from "./metric-reader.ts";
import { metricsVerdict, tolerancesOf } from "./metrics-verdict.ts";
import { readScaleTarget } from "./scale-target.ts";
import type { ScaleClient, ScaleTarget } from "./scale-target.ts";
import type { ScalingHistory } from "./scaling-history.ts";
import { limitedReplicas } from "./scaling-limits.ts";
import { StatusDraft } from "./status-draft.ts";

/** What one look at an autoscaler works with. */
export interface SyncEnvironment {
  readonly client: ScaleClient & MetricClient;
  readonly history: ScalingHistory;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** The pods of its namespace that are selected. */
  readonly podsOf: (selector: Selector) => readonly Pod[];
  /** The names of all autoscalers that scale any of these pods, this one among them. */
  readonly scalersOf: (pods: readonly Pod[]) => readonly string[];
  readonly event: (type: "Normal" | "Warning", reason: string, message: string) => void;
}

/** How many replicas there shall be, and why. */
type Decision =
  | { readonly type: "Scale"; readonly replicas: number; readonly reason: string; readonly metrics: readonly MetricStatus[] }
  | { readonly type: "Stay"; readonly metrics: readonly MetricStatus[] }
  | { readonly type: "Unknown"; readonly metrics: readonly MetricStatus[] };

/** One look at an autoscaler: reads what there is, scales its target if need be, and says so in its status. */
export class AutoscalerSync {
  readonly #autoscaler: HorizontalPodAutoscaler;
  readonly #environment: SyncEnvironment;
  readonly #draft: StatusDraft;

  constructor(autoscaler: HorizontalPodAutoscaler, environment: SyncEnvironment) {
    this.#autoscaler = autoscaler;
    this.#environment = environment;
    this.#draft = new StatusDraft(autoscaler.status, environment.nowMs);
  }

  /** Does it, and returns the status that is to be written. */
  async run(): Promise<HorizontalPodAutoscalerStatus> {
    const target = await this.#readTarget();
    if (target === undefined) return this.#draft.withConditions();
    const { wanted } = target;
    this.#environment.history.begin(wanted, this.#environment.nowMs);
    const decision = await this.#decide(target);
    switch (decision.type) {
      case "Unknown":
        return this.#draft.unscaled(wanted, decision.metrics);
      case "Stay":
        return this.#draft.settled(wanted, decision.metrics);
      case "Scale":
        if (!(await this.#rescale(target, decision.replicas, decision.reason))) return this.#draft.unscaled(wanted, decision.metrics);
        return this.#draft.rescaled(wanted, decision.replicas, decision.metrics);
      default:
        return decision satisfies never;
    }
  }

  async #readTarget(): Promise<ScaleTarget | undefined> {
    const { client, signal, event } = this.#environment;
    const { metadata, spec } = this.#autoscaler;
    try {
      const target = await readScaleTarget(spec.scaleTargetRef, metadata.namespace ?? "", client, signal);
      this.#draft.say("AbleToScale", "True", "SucceededGetScale", "the HPA controller was able to get the target's current scale");
      return target;
    } catch (error) {
      if (signal.aborted) throw error;
      const why = failureMessage(error);
      event("Warning", "FailedGetScale", why);
      this.#draft.say("AbleToScale", "False", "FailedGetScale", `the HPA controller was unable to get the target's current scale: ${why}`);
      return undefined;
    }
  }

  async #decide(target: ScaleTarget): Promise<Decision> {
    const { minReplicas = 1, maxReplicas } = this.#autoscaler.spec;
    const { wanted } = target;
    if (wanted === 0) {
      this.#draft.say("ScalingActive", "False", "ScalingDisabled", "scaling is disabled since the replica count of the target is zero");
      return { type: "Stay", metrics: [] };
    }
    if (wanted > maxReplicas) {
      return { type: "Scale", replicas: maxReplicas, reason: "Current number of replicas above Spec.MaxReplicas", metrics: [] };
    }
    if (wanted < minReplicas) {
      return { type: "Scale", replicas: minReplicas, reason: "Current number of replicas below Spec.MinReplicas", metrics: [] };
    }
    return this.#decideByMetrics(target);
  }

  async #decideByMetrics({ wanted, present, selector }: ScaleTarget): Promise<Decision> {
    const { client, history, nowMs, signal, event } = this.#environment;
    const { metadata, spec } = this.#autoscaler;
    const { namespace = "" } = metadata;
    const pods = this.#selectPods(selector);
    if (pods === undefined) return { type: "Unknown", metrics: [] };
    const scaled = { namespace, selector, pods, wanted, present, tolerances: tolerancesOf(spec.behavior), nowMs };
    const verdict = await metricsVerdict(this.#autoscaler, scaled, new MetricReader(client, namespace, signal));
    for (const { reason, message } of verdict.failures) event("Warning", reason, message);
    if (verdict.type === "Failed") {
      const [{ reason, message } = { reason: "", message: "" }] = verdict.failures;
      this.#draft.say("ScalingActive", "False", reason, `the HPA was unable to compute the replica count: ${message}`);
      event("Warning", "FailedComputeMetricsReplicas", verdict.message);
      return { type: "Unknown", metrics: verdict.statuses };
    }
    const found = `the HPA was able to successfully calculate a replica count from ${verdict.metric}`;
    this.#draft.say("ScalingActive", "True", "ValidMetricFound", found);
    const wish = { current: wanted, wanted: verdict.replicas, min: spec.minReplicas ?? 1, max: spec.maxReplicas, nowMs };
    const { replicas, stabilization, limit } = limitedReplicas(wish, spec.behavior, history);
    this.#draft.say("AbleToScale", "True", stabilization.reason, stabilization.message);
    this.#draft.say("ScalingLimited", limit.isLimited ? "True" : "False", limit.reason, limit.message);
    if (replicas === wanted) return { type: "Stay", metrics: verdict.statuses };
    const reason = verdict.replicas > wanted ? `${verdict.metric} above target` : "All metrics below target";
    return { type: "Scale", replicas, reason, metrics: verdict.statuses };
  }

  /** The pods of the target; undefined if it is not certain which they are, which is then said. */
  #selectPods(selector: string): readonly Pod[] | undefined {
    const { history, podsOf, scalersOf } = this.#environment;
    if (selector === "") {
      return this.#refuseSelector("SelectorRequired", "selector is required", "the HPA target's scale is missing a selector");
    }
    const parsed = parsedSelector(selector);
    if (typeof parsed === "string") {
      const message = `couldn't convert selector into a corresponding internal selector object: ${parsed}`;
      return this.#refuseSelector("InvalidSelector", message, message);
    }
    history.selector = parsed;
    const pods = podsOf(parsed);
    const scalers = scalersOf(pods);
    if (scalers.length <= 1) return pods;
    const { namespace = "" } = this.#autoscaler.metadata;
    const names = scalers.map((name) => `{${name} ${namespace}}`).join(" ");
    const message = `pods by selector ${selector} are controlled by multiple HPAs: [${names}]`;
    return this.#refuseSelector("AmbiguousSelector", message, message);
  }

  #refuseSelector(reason: string, event: string, message: string): undefined {
    this.#environment.event("Warning", reason, event);
    this.#environment.event("Warning", "FailedComputeMetricsReplicas", event);
    this.#draft.say("ScalingActive", "False", reason === "SelectorRequired" ? "InvalidSelector" : reason, message);
  }

  /** Whether the target has been scaled. */
  async #rescale({ resource, wanted }: ScaleTarget, replicas: number, reason: string): Promise<boolean> {
    const { client, history, nowMs, signal, event } = this.#environment;
    const { metadata, spec } = this.#autoscaler;
    const address = { namespace: metadata.namespace ?? "", name: spec.scaleTargetRef.name };
    try {
      await client.scale(resource, address, replicas, { signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const why = failureMessage(error);
      event("Warning", "FailedRescale", `New size: ${replicas}; reason: ${reason}; error: ${why}`);
      this.#draft.say("AbleToScale", "False", "FailedUpdateScale", `the HPA controller was unable to update the target scale: ${why}`);
      return false;
    }
    this.#draft.say("AbleToScale", "True", "SucceededRescale", `the HPA controller was able to update the target scale to ${replicas}`);
    event("Normal", "SuccessfulRescale", `New size: ${replicas}; reason: ${reason}`);
    if (spec.behavior !== undefined) history.rescale(wanted, replicas, nowMs);
    return true;
  }
}

/** A selector, or why it is none. */
function parsedSelector(text: string): Selector | string {
  try {
    return parseSelector(text);
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
}
