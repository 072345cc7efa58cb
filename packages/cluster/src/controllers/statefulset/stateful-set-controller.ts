import { isReason, objectKey, structuralEqual } from "@kaji/core";
import type { LabelSelector, ObjectKey } from "@kaji/core";
import { byOwner } from "@kaji/informer";
import { defineController, or, owned, recheckAfter, watch } from "@kaji/runtime";
import type { Controller, MappingReads, ObjectChange, Result } from "@kaji/runtime";
import { ControllerRevision, StatefulSet } from "@kaji/types/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import { keepHistory, trimHistory } from "../history/controller-history.ts";
import type { History } from "../history/controller-history.ts";
import { keeps, templateData, templateOf } from "../history/revision-data.ts";
import { revisionHash } from "../history/revision-hash.ts";
import { strayPods } from "../ownership/stray-index.ts";
import { claimPods, ownPods, takersOf } from "../pods/pod-ownership.ts";
import type { PodOwner } from "../pods/pod-ownership.ts";
import { nextReplacementMs } from "../pods/pod-replacement.ts";
import { isCountedOtherwise, isPodUnschedulable, nextAvailabilityMs } from "../pods/pod-state.ts";
import { ensureClaims, replaceClaims, retainClaims } from "./stateful-claims.ts";
import type { StatefulContext } from "./stateful-context.ts";
import { ordinalOf, statefulPod } from "./stateful-pod.ts";
import type { StatefulRevision } from "./stateful-pod.ts";
import { revisionOf, statefulStatus } from "./stateful-status.ts";
import { nextSteps } from "./stateful-steps.ts";
import type { StatefulState, StatefulStep } from "./stateful-steps.ts";

/** How often steps are planned in one reconcile: a step may make another possible. The limit ends the loop even if steps undo each other. */
const mostRounds = 5;

/** Keeps the numbered pods of each StatefulSet, with their names and their storage. */
export const statefulSetController: Controller = defineController(StatefulSet, {
  name: "statefulset-controller",
  owns: [
    owned(Pod, { applied: false, indexes: [strayPods], predicates: [or(isCountedOtherwise, isPlacedOtherwise)] }),
    owned(ControllerRevision, { applied: false }),
  ],
  watches: [
    watch(Pod, { toKeys: (pod, reads) => takersOf(pod, reads, StatefulSet, selectorOf) }),
    watch(PersistentVolumeClaim, {
      verbs: ["create", "patch"],
      indexes: [byOwner],
      predicates: [({ object }) => object === undefined],
      toKeys: usersOf,
    }),
  ],
  concurrency: 5,
  reconcile,
});

async function reconcile(set: StatefulSet, context: StatefulContext): Promise<Result> {
  const { client, clock, live } = context;
  // Whoever deletes it with what it owns would have to delete a new revision again, and again.
  if (set.metadata.deletionTimestamp !== undefined && !hasRevision(set, context)) return undefined;
  const owner: PodOwner = {
    resource: StatefulSet,
    object: set,
    selector: selectorOf(set),
    fresh: () => live.get(StatefulSet, set.metadata),
  };
  const history = await revisionsOf(set, owner, context);
  const pods = await claimPods(owner, context, (pod) => ordinalOf(pod, set) !== undefined);
  const update = asRevision(history.current);
  const former = history.old.find(({ metadata }) => metadata.name === set.status?.currentRevision);
  const current = former === undefined ? update : asRevision(former);
  // One moment for the whole reconcile: what was too young for a step would otherwise be old enough when the next look is due, and nobody would look.
  const nowMs = clock.now();
  let state: StatefulState = { set, pods, current, update, nowMs };
  // Reading all pods is the most expensive step, so they are read again only after a write to one.
  const onWrite = (): StatefulState => (state = { ...state, pods: ownPods(owner, context) });
  // What is refused, such as a pod beyond a quota, keeps nobody from hearing how far the set has come.
  const [outcome] = await Promise.allSettled([set.metadata.deletionTimestamp === undefined ? advance(state, onWrite, context) : undefined]);
  const status = statefulStatus(state, history.collisionCount ?? 0);
  if (!structuralEqual(status, set.status)) await client.updateStatus(StatefulSet, { ...set, status });
  await trim(set, history, new Set([status.currentRevision, ...state.pods.map(revisionOf)]), context);
  if (outcome.status === "rejected") throw outcome.reason;
  const availabilityMs = nextAvailabilityMs(state.pods, set.spec?.minReadySeconds ?? 0, nowMs);
  const nextMs = Math.min(availabilityMs ?? Infinity, nextReplacementMs(state.pods, nowMs) ?? Infinity);
  return nextMs === Infinity ? undefined : recheckAfter(nextMs);
}

/** Takes all steps that are possible now; asks for the state anew when pods have been written. */
async function advance(first: StatefulState, onWrite: () => StatefulState, context: StatefulContext): Promise<void> {
  // A claim that is to be deleted with its pod must have the pod as owner before the pod is deleted.
  await retainClaims(first, context);
  await replaceClaims(first, context);
  let state = first;
  for (let round = 0; round < mostRounds; round++) {
    const steps = nextSteps(state);
    if (steps.length === 0) break;
    try {
      for (const step of steps) await take(step, state.set, context);
    } finally {
      state = onWrite();
    }
  }
  if (state !== first) await retainClaims(state, context);
}

/** Whether there is a revision of the present template. */
function hasRevision({ spec }: StatefulSet, { cache }: StatefulContext): boolean {
  return [...cache.owned(ControllerRevision)].some((revision) => keeps(revision, spec?.template ?? {}));
}

function revisionsOf(set: StatefulSet, owner: PodOwner, context: StatefulContext): Promise<History> {
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

async function take(step: StatefulStep, set: StatefulSet, context: StatefulContext): Promise<void> {
  const { client } = context;
  switch (step.type) {
    case "Create": {
      const draft = statefulPod(set, step.ordinal, step.revision);
      return telling("Create", draft.metadata.name ?? "", set, context, async () => {
        await ensureClaims(set, step.ordinal, context);
        await client.create(Pod, draft);
      });
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

async function telling(
  verb: "Create" | "Delete" | "Update",
  pod: string,
  { metadata }: StatefulSet,
  { event }: StatefulContext,
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

async function trim(set: StatefulSet, { old }: History, used: ReadonlySet<string | undefined>, context: StatefulContext): Promise<void> {
  const unused = old.filter(({ metadata }) => !used.has(metadata.name));
  await trimHistory(unused, set.spec?.revisionHistoryLimit ?? 10, context);
}

function asRevision(revision: ControllerRevision): StatefulRevision {
  return { name: revision.metadata.name, template: templateOf(revision) };
}

/** Whether a pod may have begun to lack a claim, or has one again. */
function isPlacedOtherwise({ object, previous }: ObjectChange<Pod>): boolean {
  return object !== undefined && previous !== undefined && isPodUnschedulable(object) !== isPodUnschedulable(previous);
}

/** The sets of which a pod may lack a claim that is gone. */
function* usersOf({ metadata: claim }: PersistentVolumeClaim, reads: MappingReads): Generator<ObjectKey> {
  const { namespace = "" } = claim;
  for (const { metadata, spec } of reads.list(StatefulSet, { namespace })) {
    const prefixes = (spec?.volumeClaimTemplates ?? []).map((template) => `${template.metadata.name}-${metadata.name}-`);
    if (prefixes.some((prefix) => claim.name.startsWith(prefix))) yield objectKey(metadata);
  }
}

function selectorOf({ spec }: StatefulSet): LabelSelector | undefined {
  return spec?.selector;
}
