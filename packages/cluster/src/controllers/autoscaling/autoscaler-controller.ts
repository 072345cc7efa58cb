import { ApiError, structuralEqual } from "@kaji/core";
import type { NamespacedName } from "@kaji/core";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import { Pod } from "@kaji/types/core/v1";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";
import { AutoscalerSync } from "./autoscaler-sync.ts";
import type { SyncEnvironment } from "./autoscaler-sync.ts";
import { failureMessage } from "../failure-message.ts";
import { podsByLabel, selectedPods } from "../pods/selected-pods.ts";
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
  const known = new Map<string, KnownAutoscaler>();
  return defineController(HorizontalPodAutoscaler, {
    name: "horizontal-pod-autoscaler-controller",
    // What changes in between waits for the next look.
    watches: [watch(Pod, { toKeys: () => [], indexes: [podsByLabel] })],
    concurrency: 5,
    async reconcile(autoscaler, { cache, client: own, clock, event, signal }) {
      const { namespace = "", name, uid = "" } = autoscaler.metadata;
      const nowMs = clock.now();
      const before = known.get(uid)?.history;
      const dueMs = dueMsOf(autoscaler, before, nowMs);
      if (nowMs < dueMs) return recheckAfter(dueMs - nowMs);
      const history = before ?? new ScalingHistory(nowMs);
      history.lookedAtMs = nowMs;
      known.set(uid, { address: { namespace, name }, history });
      const podsOf: SyncEnvironment["podsOf"] = (selector) => selectedPods(cache, namespace, selector);
      const isThere = ([id, { address }]: readonly [string, KnownAutoscaler]): boolean =>
        cache.get(HorizontalPodAutoscaler, address)?.metadata.uid === id;
      const scalersOf: SyncEnvironment["scalersOf"] = (pods) =>
        [...known]
          .filter(([, each]) => each.address.namespace === namespace && isScaling(each.history, pods))
          .filter(isThere)
          .map(([, { address }]) => address.name)
          .toSorted();
      const sync = new AutoscalerSync(autoscaler, { client, history, nowMs, signal, podsOf, scalersOf, event });
      const status = await sync.run();
      forgetGone(known, nowMs);
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

/** An autoscaler that has been looked at. */
interface KnownAutoscaler {
  readonly address: NamespacedName;
  readonly history: ScalingHistory;
}

/** When an autoscaler is to be looked at: a new one not at once, and one that was looked at before this controller began, now. */
function dueMsOf({ metadata, status }: HorizontalPodAutoscaler, history: ScalingHistory | undefined, nowMs: number): number {
  if (history !== undefined) return history.lookedAtMs + syncMs;
  const isNew = (status?.conditions?.length ?? 0) === 0;
  return isNew ? (saidTimeMs(metadata.creationTimestamp) ?? 0) + syncMs : nowMs;
}

function isScaling({ selector }: ScalingHistory, pods: readonly Pod[]): boolean {
  return selector !== undefined && pods.some(({ metadata }) => selector.matches(metadata.labels));
}

/** Those that are not looked at any more are gone. */
function forgetGone(known: Map<string, KnownAutoscaler>, nowMs: number): void {
  for (const [uid, { history }] of known) if (history.lookedAtMs < nowMs - 10 * syncMs) known.delete(uid);
}
