import { ApiError, parseSelector, structuralEqual } from "@kaji/core";
import { defineController, recheckAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import { Pod } from "@kaji/types/core/v1";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";
import { AutoscalerSync } from "./autoscaler-sync.ts";
import type { SyncEnvironment } from "./autoscaler-sync.ts";
import { failureMessage } from "../failure-message.ts";
import { saidTimeMs } from "../said-time.ts";
import { ScalingHistory } from "./scaling-history.ts";
import { knownStatus } from "./status-draft.ts";

/** How often each autoscaler is looked at, whatever happens. */
const syncMs = 15_000;

/** The kinds whose changes concern it: all else it reads when the time has come. */
export const autoscalerKinds: ConcernedKinds = { own: HorizontalPodAutoscaler, others: [] };

/** Makes a controller that gives things as many replicas as their pods need by what they use. The client is for what is scaled, of whatever kind, and for metrics. */
export function createAutoscalerController(client: SyncEnvironment["client"]): Controller {
  /** By uid. */
  const histories = new Map<string, ScalingHistory>();
  return defineController(HorizontalPodAutoscaler, {
    name: "horizontal-pod-autoscaler-controller",
    watches: [Pod],
    concurrency: 5,
    async reconcile(autoscaler, { cache, client: own, clock, event, signal }) {
      const { namespace = "", uid = "" } = autoscaler.metadata;
      const nowMs = clock.now();
      const dueMs = dueMsOf(autoscaler, histories.get(uid), nowMs);
      if (nowMs < dueMs) return recheckAfter(dueMs - nowMs);
      const history = histories.get(uid) ?? new ScalingHistory(nowMs);
      history.lookedAtMs = nowMs;
      histories.set(uid, history);
      const podsOf: SyncEnvironment["podsOf"] = (labelSelector) => [...cache.list(Pod, { namespace, labelSelector })];
      const scalersOf: SyncEnvironment["scalersOf"] = (pods) =>
        [...cache.list(HorizontalPodAutoscaler, { namespace })]
          .filter(({ metadata }) => isScaling(histories.get(metadata.uid ?? ""), pods))
          .map(({ metadata }) => metadata.name)
          .toSorted();
      const sync = new AutoscalerSync(autoscaler, { client, history, nowMs, signal, podsOf, scalersOf, event });
      const status = await sync.run();
      forgetGone(histories, nowMs);
      if (structuralEqual(status, knownStatus(autoscaler.status))) return recheckAfter(syncMs);
      try {
        await own.updateStatus(HorizontalPodAutoscaler, { ...autoscaler, status });
      } catch (error) {
        // The next look is soon enough for another try.
        if (!(error instanceof ApiError)) throw error;
        event("Warning", "FailedUpdateStatus", failureMessage(error));
      }
      return recheckAfter(syncMs);
    },
  });
}

/** When an autoscaler is to be looked at: a new one not at once, and one that was looked at before this controller began, now. */
function dueMsOf({ metadata, status }: HorizontalPodAutoscaler, history: ScalingHistory | undefined, nowMs: number): number {
  if (history !== undefined) return history.lookedAtMs + syncMs;
  const isNew = (status?.conditions?.length ?? 0) === 0;
  return isNew ? (saidTimeMs(metadata.creationTimestamp) ?? 0) + syncMs : nowMs;
}

function isScaling(history: ScalingHistory | undefined, pods: readonly Pod[]): boolean {
  if (history?.selector === undefined) return false;
  const selector = parseSelector(history.selector);
  return pods.some(({ metadata }) => selector.matches(metadata.labels));
}

/** Those that are not looked at any more are gone. */
function forgetGone(histories: Map<string, ScalingHistory>, nowMs: number): void {
  for (const [uid, { lookedAtMs }] of histories) if (lookedAtMs < nowMs - 10 * syncMs) histories.delete(uid);
}
