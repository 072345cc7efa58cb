import { objectKey, structuralEqual } from "@kaji/core";
import type { LabelSelector, ObjectKey } from "@kaji/core";
import { defineController, owned, recheckAfter, watch } from "@kaji/runtime";
import type { ContextOf, Controller, MappingReads, ObjectChange, Owned, Result, Watched } from "@kaji/runtime";
import { ControllerRevision, DaemonSet } from "@kaji/types/apps/v1";
import { Node, Pod } from "@kaji/types/core/v1";
import { podTemplateHash } from "../deployment/pod-template-hash.ts";
import { keepHistory, revisionLabel, trimHistory } from "../history/controller-history.ts";
import type { History } from "../history/controller-history.ts";
import { strayPods } from "../ownership/stray-index.ts";
import { createPod, deletePods } from "../pods/pod-control.ts";
import { claimPods, ownPods, takersOf } from "../pods/pod-ownership.ts";
import type { PodOwner } from "../pods/pod-ownership.ts";
import { nextReplacementMs } from "../pods/pod-replacement.ts";
import { isCountedOtherwise, nextAvailabilityMs } from "../pods/pod-state.ts";
import { slowStart } from "../slow-start.ts";
import { placementPlan, updatePlan } from "./daemon-plan.ts";
import type { DaemonPlan, DaemonState } from "./daemon-plan.ts";
import { daemonPod } from "./daemon-pod.ts";
import { daemonStatus } from "./daemon-status.ts";

type Context = ContextOf<DaemonSet, readonly [Owned<Pod, never>, Owned<ControllerRevision, never>], readonly [Watched<Node, never>]>;

/** Keeps one pod of each DaemonSet on every node that it is for. */
export const daemonSetController: Controller = defineController(DaemonSet, {
  name: "daemonset-controller",
  owns: [
    owned(Pod, { applied: false, indexes: [strayPods], predicates: [isCountedOtherwise] }),
    owned(ControllerRevision, { applied: false }),
  ],
  watches: [
    watch(Pod, { toKeys: (pod, reads) => takersOf(pod, reads, DaemonSet, selectorOf) }),
    watch(Node, { predicates: [matters], toKeys: allDaemonSets }),
  ],
  concurrency: 2,
  reconcile,
});

async function reconcile(daemonSet: DaemonSet, context: Context): Promise<Result> {
  const { event, client, clock } = context;
  if (structuralEqual(selectorOf(daemonSet), {})) {
    event("Warning", "SelectingAll", "This daemon set is selecting all pods. A non-empty selector is required.");
    return undefined;
  }
  if (daemonSet.metadata.deletionTimestamp !== undefined) return undefined;
  const owner: PodOwner = {
    resource: DaemonSet,
    object: daemonSet,
    selector: selectorOf(daemonSet),
    fresh: () => context.live.get(DaemonSet, daemonSet.metadata),
  };
  const { history, hash } = await revisionsOf(daemonSet, owner, context);
  const pods = await claimPods(owner, context);
  const nodes: readonly Node[] = [...context.cache.list(Node)];
  // One moment for the whole reconcile: what was too young for the plan would otherwise be old enough when the next look is due, and nobody would look.
  const nowMs = clock.now();
  let state: DaemonState = { daemonSet, nodes, pods, hash, nowMs };
  // Reading all pods is the most expensive step, so they are read again only after a write to one.
  const onWrite = (): DaemonState => (state = { ...state, pods: ownPods(owner, context) });
  // What is refused, such as a pod beyond a quota, keeps nobody from hearing how far the set has come.
  const [outcome] = await Promise.allSettled([advance(state, onWrite, context)]);
  await trim(daemonSet, history, state.pods, context);
  const status = daemonStatus(state, history.collisionCount);
  if (!structuralEqual(status, daemonSet.status)) await client.updateStatus(DaemonSet, { ...daemonSet, status });
  if (outcome.status === "rejected") throw outcome.reason;
  const availabilityMs = nextAvailabilityMs(state.pods, daemonSet.spec?.minReadySeconds ?? 0, nowMs);
  const nextMs = Math.min(availabilityMs ?? Infinity, nextReplacementMs(state.pods, nowMs) ?? Infinity);
  return nextMs === Infinity ? undefined : recheckAfter(nextMs);
}

/** Brings pods to their nodes, and then to the present template; asks for the state anew when pods have been written. */
async function advance(first: DaemonState, onWrite: () => DaemonState, context: Context): Promise<void> {
  const placed = await carryOut(placementPlan(first), first, onWrite, context);
  const updated = await carryOut(updatePlan(placed), placed, onWrite, context);
  // The API server removes a pod without a node at once, so its successor can be created in the same reconcile.
  if (updated !== placed) await carryOut(placementPlan(updated), updated, onWrite, context);
}

async function revisionsOf(
  daemonSet: DaemonSet,
  owner: PodOwner,
  context: Context,
): Promise<{ readonly history: History; readonly hash: string }> {
  const template = daemonSet.spec?.template ?? {};
  const { collisionCount } = daemonSet.status ?? {};
  const hashOf = (collisions: number | undefined): string => podTemplateHash(template, collisions);
  const history = await keepHistory({ ...owner, template, collisionCount, hashLabel: revisionLabel, hashOf }, context);
  return { history, hash: history.current.metadata.labels?.[revisionLabel] ?? "" };
}

/** Does what is planned, and returns the state that follows: the very same, where that is nothing. */
async function carryOut(
  { deletions, creations }: DaemonPlan,
  state: DaemonState,
  onWrite: () => DaemonState,
  context: Context,
): Promise<DaemonState> {
  if (deletions.length + creations.length === 0) return state;
  for (const { metadata, spec, status } of deletions) {
    const where = `${metadata.namespace}/${metadata.name} on node ${spec?.nodeName ?? ""}`;
    if (status?.phase === "Failed") context.event("Warning", "FailedDaemonPod", `Found failed daemon pod ${where}, will try to kill it`);
    if (status?.phase === "Succeeded") {
      context.event("Normal", "SucceededDaemonPod", `Found succeeded daemon pod ${where}, will try to delete it`);
    }
  }
  const { daemonSet, hash } = state;
  const waiting = [...creations];
  let next = state;
  try {
    await slowStart(creations.length, () => createPod(daemonPod(daemonSet, waiting.shift() ?? "", hash), context));
    await deletePods(deletions, context);
  } finally {
    next = onWrite();
  }
  return next;
}

async function trim(daemonSet: DaemonSet, { old }: History, pods: readonly Pod[], context: Context): Promise<void> {
  const used = new Set(pods.map(({ metadata }) => metadata.labels?.[revisionLabel]));
  const unused = old.filter(({ metadata }) => !used.has(metadata.labels?.[revisionLabel]));
  await trimHistory(unused, daemonSet.spec?.revisionHistoryLimit ?? 10, context);
}

function selectorOf({ spec }: DaemonSet): LabelSelector | undefined {
  return spec?.selector;
}

/** Where daemon pods belong depends on the labels and the spec of a node, not on its status. */
function matters({ object, previous }: ObjectChange<Node>): boolean {
  return (
    !structuralEqual(object?.metadata.labels, previous?.metadata.labels) ||
    !structuralEqual(object?.spec, previous?.spec) ||
    object === undefined ||
    previous === undefined
  );
}

function* allDaemonSets(_node: Node, reads: MappingReads): Generator<ObjectKey> {
  for (const { metadata } of reads.list(DaemonSet)) yield objectKey(metadata);
}
