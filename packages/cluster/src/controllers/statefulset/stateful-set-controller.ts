import { isReason, structuralEqual } from "@kaji/core";
import type { Draft, LabelSelector } from "@kaji/core";
import { defineController, owned, recheckAfter, watch } from "@kaji/runtime";
import type { ContextOf, Controller, Owned, Result, Watched } from "@kaji/runtime";
import { ControllerRevision, StatefulSet } from "@kaji/types/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import { keepHistory, trimHistory } from "../history/controller-history.ts";
import type { History } from "../history/controller-history.ts";
import { templateData, templateOf } from "../history/revision-data.ts";
import { revisionHash } from "../history/revision-hash.ts";
import { strayPods } from "../ownership/stray-index.ts";
import { claimPods, ownPods, ownersPatch, takersOf } from "../pods/pod-ownership.ts";
import type { PodOwner } from "../pods/pod-ownership.ts";
import { nextReplacementMs } from "../pods/pod-replacement.ts";
import { nextAvailabilityMs } from "../pods/pod-state.ts";
import { ownedFromBirth, retainingOwners } from "./claim-retention.ts";
import { claimsOf, ordinalOf, statefulPod } from "./stateful-pod.ts";
import type { StatefulRevision } from "./stateful-pod.ts";
import { revisionOf, statefulStatus } from "./stateful-status.ts";
import { nextSteps, ordinalRange } from "./stateful-steps.ts";
import type { StatefulState, StatefulStep } from "./stateful-steps.ts";

/** How often steps are planned in one reconcile: a step may make another possible. The limit ends the loop even if steps undo each other. */
const mostRounds = 5;

type Context = ContextOf<
  StatefulSet,
  readonly [Owned<Pod, never>, Owned<ControllerRevision, never>],
  readonly [Watched<PersistentVolumeClaim, "create" | "patch">]
>;

/** Keeps the numbered pods of each StatefulSet, with their names and their storage. */
export const statefulSetController: Controller = defineController(StatefulSet, {
  name: "statefulset-controller",
  owns: [owned(Pod, { applied: false, indexes: [strayPods] }), owned(ControllerRevision, { applied: false })],
  watches: [
    watch(Pod, { toKeys: (pod, reads) => takersOf(pod, reads, StatefulSet, selectorOf) }),
    watch(PersistentVolumeClaim, { verbs: ["create", "patch"], toKeys: () => [] }),
  ],
  concurrency: 5,
  reconcile,
});

async function reconcile(set: StatefulSet, context: Context): Promise<Result> {
  const { client, clock, live } = context;
  const owner: PodOwner = {
    resource: StatefulSet,
    object: set,
    selector: selectorOf(set),
    fresh: () => live.get(StatefulSet, set.metadata),
  };
  const history = await revisionsOf(set, owner, context);
  await claimPods(owner, context, (pod) => ordinalOf(pod, set) !== undefined);
  const update = asRevision(history.current);
  const former = history.old.find(({ metadata }) => metadata.name === set.status?.currentRevision);
  const current = former === undefined ? update : asRevision(former);
  // One moment for the whole reconcile: what was too young for a step would otherwise be old enough when the next look is due, and nobody would look.
  const nowMs = clock.now();
  const stateNow = (): StatefulState => ({ set, pods: ownPods(owner, context), current, update, nowMs });
  if (set.metadata.deletionTimestamp === undefined) {
    // A claim that is to be deleted with its pod must have the pod as owner before the pod is deleted.
    await retainClaims(stateNow(), context);
    for (let round = 0; round < mostRounds; round++) {
      for (const step of nextSteps(stateNow())) await take(step, set, context);
    }
    await retainClaims(stateNow(), context);
  }
  const state = stateNow();
  const status = statefulStatus(state, history.collisionCount ?? 0);
  if (!structuralEqual(status, set.status)) await client.updateStatus(StatefulSet, { ...set, status });
  await trim(set, history, new Set([status.currentRevision, ...state.pods.map(revisionOf)]), context);
  const availabilityMs = nextAvailabilityMs(state.pods, set.spec?.minReadySeconds ?? 0, nowMs);
  const nextMs = Math.min(availabilityMs ?? Infinity, nextReplacementMs(state.pods, nowMs) ?? Infinity);
  return nextMs === Infinity ? undefined : recheckAfter(nextMs);
}

function revisionsOf(set: StatefulSet, owner: PodOwner, context: Context): Promise<History> {
  const template = set.spec?.template ?? {};
  return keepHistory(
    {
      ...owner,
      template,
      collisionCount: set.status?.collisionCount,
      hashLabel: "controller.kubernetes.io/hash",
      hashOf: (collisions = 0) => revisionHash(templateData(template), collisions),
    },
    context,
  );
}

async function take(step: StatefulStep, set: StatefulSet, context: Context): Promise<void> {
  const { client } = context;
  switch (step.type) {
    case "Create": {
      for (const claim of claimsOf(set, step.ordinal)) await ensureClaim(claim, set, step.ordinal, context);
      const draft = statefulPod(set, step.ordinal, step.revision);
      return telling("Create", draft.metadata.name ?? "", set, context, () => client.create(Pod, draft));
    }
    case "Delete":
      return telling("Delete", step.pod.metadata.name, set, context, () => client.delete(Pod, step.pod));
    case "Relabel": {
      const { metadata } = step.pod;
      return telling("Update", metadata.name, set, context, () => client.mergePatch(Pod, metadata, { metadata: { labels: step.labels } }));
    }
    default:
      step satisfies never;
  }
}

async function retainClaims({ set, pods }: StatefulState, { cache, client }: Context): Promise<void> {
  const { start, end } = ordinalRange(set);
  for (const pod of pods) {
    const ordinal = ordinalOf(pod, set) ?? -1;
    const isCondemned = ordinal < start || ordinal >= end;
    for (const { metadata } of claimsOf(set, ordinal)) {
      const claim = cache.get(PersistentVolumeClaim, { namespace: metadata.namespace, name: metadata.name ?? "" });
      const owners = claim === undefined ? undefined : retainingOwners(claim, set, { pod, isCondemned });
      if (claim === undefined || owners === undefined) continue;
      await client.mergePatch(PersistentVolumeClaim, claim.metadata, ownersPatch(claim.metadata, owners));
    }
  }
}

/** Claims are made once, and stay when their pod goes. */
async function ensureClaim(claim: Draft<PersistentVolumeClaim>, set: StatefulSet, ordinal: number, context: Context): Promise<void> {
  const { cache, client, event } = context;
  const { namespace, name = "" } = claim.metadata;
  if (cache.get(PersistentVolumeClaim, { namespace, name }) !== undefined) return;
  const pod = `${set.metadata.name}-${ordinal}`;
  try {
    await client.create(PersistentVolumeClaim, ownedFromBirth(claim, set));
    event("Normal", "SuccessfulCreate", `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`);
  } catch (error) {
    if (isReason(error, "AlreadyExists")) return;
    const failure = `failed error: ${failureMessage(error)}`;
    event("Warning", "FailedCreate", `Create Claim ${name} for Pod ${pod} in StatefulSet ${set.metadata.name} ${failure}`);
    throw error;
  }
}

async function telling(
  verb: "Create" | "Delete" | "Update",
  pod: string,
  { metadata }: StatefulSet,
  { event }: Context,
  act: () => Promise<unknown>,
): Promise<void> {
  const subject = `${verb} Pod ${pod} in StatefulSet ${metadata.name}`;
  try {
    await act();
    event("Normal", `Successful${verb}`, `${subject} successful`);
  } catch (error) {
    if (!isReason(error, "AlreadyExists")) event("Warning", `Failed${verb}`, `${subject} failed error: ${failureMessage(error)}`);
    throw error;
  }
}

async function trim(set: StatefulSet, { old }: History, used: ReadonlySet<string | undefined>, context: Context): Promise<void> {
  const unused = old.filter(({ metadata }) => !used.has(metadata.name));
  await trimHistory(unused, set.spec?.revisionHistoryLimit ?? 10, context);
}

function asRevision(revision: ControllerRevision): StatefulRevision {
  return { name: revision.metadata.name, template: templateOf(revision) };
}

function selectorOf({ spec }: StatefulSet): LabelSelector | undefined {
  return spec?.selector;
}
