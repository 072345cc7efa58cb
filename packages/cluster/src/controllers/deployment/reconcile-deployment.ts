import { compileSelector, findCondition, isNamespaceEnding, isReason, structuralEqual } from "@kaji/core";
import { byOwner } from "@kaji/informer";
import { recheckAfter, requeue } from "@kaji/runtime";
import type { ContextOf, Owned, Result, Watched } from "@kaji/runtime";
import { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import type { DeploymentCondition, DeploymentStatus } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import { claim } from "../ownership/claim.ts";
import { controllerReference } from "../ownership/controller-reference.ts";
import { strayReplicaSets } from "../ownership/stray-index.ts";
import { ownersPatch } from "../pods/pod-ownership.ts";
import { hasPodEnded } from "../pods/pod-state.ts";
import { withCondition } from "../status-condition.ts";
import { countedStatus, deadlineCheckMs, deploymentCondition, rolloutStatus } from "./deployment-status.ts";
import { revisionAnnotation } from "./revision-annotations.ts";
import { revisionsOf, wantedBy } from "./revisions.ts";
import { rolloutSpec } from "./rollout-spec.ts";
import { isMerelyScaled, nextSteps } from "./rollout-step.ts";
import type { Rollout, RolloutStep } from "./rollout-step.ts";

type Context = ContextOf<Deployment, readonly [Owned<ReplicaSet, "update">], readonly [Watched<Pod, never>]>;

/** More rounds than any roll-out needs in one reconcile; only a client or webhook that undoes each write gets here. */
const mostRounds = 20;

/** Takes all steps that are possible now, and then says how far the roll-out has come. */
export async function reconcileDeployment(stored: Deployment, context: Context): Promise<Result> {
  const { metadata, spec: { selector } = {} } = stored;
  if (structuralEqual(selector, {})) return refuseSelector(stored, context);
  await claimReplicaSets(stored, context);
  if (metadata.deletionTimestamp !== undefined) {
    const rollout = rolloutOf(stored, context);
    return writeStatus(stored, stored, countedStatus(stored, rollout.spec, rollout.revisions, rollout.nowMs), context);
  }
  let deployment = withPause(stored, context);
  for (let round = 0; round < mostRounds; round++) {
    const rollout = rolloutOf(deployment, context);
    const steps = nextSteps(rollout);
    if (steps.length === 0) return finish(stored, rollout, context);
    for (const step of steps) {
      const next = await take(step, deployment, context);
      if (next === undefined) return requeue();
      deployment = next;
    }
  }
  return requeue();
}

async function claimReplicaSets(deployment: Deployment, { cache, client, live }: Context): Promise<void> {
  const { uid = "", namespace = "" } = deployment.metadata;
  const candidates: readonly ReplicaSet[] = [...cache.by(ReplicaSet, byOwner, uid), ...cache.by(ReplicaSet, strayReplicaSets, namespace)];
  await claim(candidates, {
    owner: deployment,
    reference: controllerReference(Deployment, deployment),
    selector: compileSelector(deployment.spec?.selector),
    fresh: () => live.get(Deployment, deployment.metadata),
    setOwners: ({ metadata }, owners) => client.mergePatch(ReplicaSet, metadata, ownersPatch(metadata, owners)),
  });
}

/** The roll-out as the cache shows it, own writes included. */
function rolloutOf(deployment: Deployment, { cache, clock }: Context): Rollout {
  const spec = rolloutSpec(deployment);
  const selector = compileSelector(deployment.spec?.selector);
  const replicaSets: readonly ReplicaSet[] = [...cache.owned(ReplicaSet)];
  const revisions = revisionsOf(
    replicaSets.filter(({ metadata }) => selector.matches(metadata.labels)),
    spec.template,
  );
  const podsOf = ({ metadata }: ReplicaSet): readonly Pod[] => [...cache.by(Pod, byOwner, metadata.uid ?? "")];
  const isOldRunning = (): boolean => revisions.old.flatMap(podsOf).some((pod) => !hasPodEnded(pod));
  return { deployment, spec, revisions, isOldRunning, nowMs: clock.now() };
}

/** Does one step; the Deployment as it is afterwards, or undefined when the cache has to catch up first. */
async function take(step: RolloutStep, deployment: Deployment, context: Context): Promise<Deployment | undefined> {
  const { client, event } = context;
  switch (step.type) {
    case "Create":
      return create(step, deployment, context);
    case "Refresh":
      await client.update(ReplicaSet, step.next);
      return deployment;
    case "Scale": {
      await client.update(ReplicaSet, step.next);
      const [from, to] = [wantedBy(step.replicaSet), wantedBy(step.next)];
      const move = `replica set ${step.replicaSet.metadata.name} from ${from} to ${to}`;
      if (from !== to) event("Normal", "ScalingReplicaSet", `Scaled ${from < to ? "up" : "down"} ${move}`);
      return deployment;
    }
    case "Delete":
      await client.delete(ReplicaSet, step.replicaSet);
      return deployment;
    default:
      return step satisfies never;
  }
}

async function create(
  { draft }: RolloutStep & { readonly type: "Create" },
  deployment: Deployment,
  context: Context,
): Promise<Deployment | undefined> {
  const { client, clock, event } = context;
  const { name = "" } = draft.metadata;
  const progress = (status: "True" | "False", reason: string, message: string): Deployment =>
    withProgressing(deployment, deploymentCondition("Progressing", status, { reason, message }, clock.now()));
  try {
    const { metadata } = await client.create(ReplicaSet, draft);
    const replicas = draft.spec?.replicas ?? 0;
    if (replicas > 0) event("Normal", "ScalingReplicaSet", `Scaled up replica set ${metadata.name} from 0 to ${replicas}`);
    return progress("True", "NewReplicaSetCreated", `Created new replica set "${metadata.name}"`);
  } catch (error) {
    if (isReason(error, "AlreadyExists")) return avoidCollision(name, deployment, context);
    if (isNamespaceEnding(error)) throw error;
    const message = `Failed to create new replica set "${name}": ${failureMessage(error)}`;
    event("Warning", "ReplicaSetCreateError", message);
    const { status = {} } = progress("False", "ReplicaSetCreateError", message);
    if (!structuralEqual(status, deployment.status)) await client.updateStatus(Deployment, { ...deployment, status });
    throw error;
  }
}

/** A ReplicaSet of that name is either our own, made a moment ago, or the hash is taken: then the next one is tried. */
async function avoidCollision(name: string, deployment: Deployment, { client, live }: Context): Promise<Deployment | undefined> {
  const { namespace, uid } = deployment.metadata;
  const present = await live.get(ReplicaSet, { namespace, name });
  const isOwn = present?.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) ?? false;
  if (present === undefined || (isOwn && revisionsOf([present], rolloutSpec(deployment).template).current !== undefined)) return undefined;
  const { status = {} } = deployment;
  return client.updateStatus(Deployment, { ...deployment, status: { ...status, collisionCount: (status.collisionCount ?? 0) + 1 } });
}

async function finish(stored: Deployment, rollout: Rollout, context: Context): Promise<Result> {
  const { spec, revisions, nowMs } = rollout;
  const deployment = withFound(rollout);
  const annotated = withRevisionOf(deployment, revisions.current);
  if (isMerelyScaled(rollout)) return writeStatus(stored, annotated, countedStatus(deployment, spec, revisions, nowMs), context);
  const status = rolloutStatus(deployment, spec, revisions, nowMs);
  await writeStatus(stored, annotated, status, context);
  const nextMs = deadlineCheckMs(deployment, spec, status, nowMs);
  return nextMs === undefined ? undefined : recheckAfter(nextMs);
}

/** The revision is an annotation, which the server lets be written along with the status. */
async function writeStatus(stored: Deployment, next: Deployment, status: DeploymentStatus, { client }: Context): Promise<undefined> {
  const { metadata } = next;
  if (structuralEqual(status, stored.status) && structuralEqual(metadata, stored.metadata)) return;
  await client.updateStatus(Deployment, { ...stored, metadata, status });
}

/** A Deployment that selects every pod is left alone. */
async function refuseSelector(deployment: Deployment, { client, event }: Context): Promise<undefined> {
  event("Warning", "SelectingAll", "This deployment is selecting all pods. A non-empty selector is required.");
  const { metadata, status = {} } = deployment;
  const { generation = 0 } = metadata;
  if ((status.observedGeneration ?? 0) >= generation) return;
  await client.updateStatus(Deployment, { ...deployment, status: { ...status, observedGeneration: generation } });
}

/** While it is paused, time does not count; when it goes on, it counts anew. */
function withPause(deployment: Deployment, { clock }: Context): Deployment {
  const { isPaused } = rolloutSpec(deployment);
  const reason = findCondition(deployment.status?.conditions, "Progressing")?.reason;
  if (reason === "ProgressDeadlineExceeded" || isPaused === (reason === "DeploymentPaused")) return deployment;
  const said = isPaused
    ? { reason: "DeploymentPaused", message: "Deployment is paused" }
    : { reason: "DeploymentResumed", message: "Deployment is resumed" };
  return withProgressing(deployment, deploymentCondition("Progressing", "Unknown", said, clock.now()));
}

/** The condition `Progressing` is about the present ReplicaSet. One that is about an earlier ReplicaSet, as after a restart of this controller, is replaced. */
function withFound({ deployment, revisions: { current }, nowMs }: Rollout): Deployment {
  if (current === undefined) return deployment;
  const { name } = current.metadata;
  const present = findCondition(deployment.status?.conditions, "Progressing");
  const isOver = present?.reason === "NewReplicaSetAvailable" && present.message?.includes(`"${name}"`) === false;
  if (present !== undefined && !isOver) return deployment;
  const said = { reason: "FoundNewReplicaSet", message: `Found new replica set "${name}"` };
  return withProgressing(deployment, deploymentCondition("Progressing", "True", said, nowMs));
}

/** Where there is no deadline, nothing is said about progress. */
function withProgressing(deployment: Deployment, condition: DeploymentCondition): Deployment {
  if (rolloutSpec(deployment).deadlineSeconds === undefined) return deployment;
  const conditions = withCondition(deployment.status?.conditions, condition);
  return { ...deployment, status: { ...deployment.status, conditions } };
}

function withRevisionOf(deployment: Deployment, current: ReplicaSet | undefined): Deployment {
  const revision = current?.metadata.annotations?.[revisionAnnotation];
  const { metadata } = deployment;
  if (revision === undefined || metadata.annotations?.[revisionAnnotation] === revision) return deployment;
  return { ...deployment, metadata: { ...metadata, annotations: { ...metadata.annotations, [revisionAnnotation]: revision } } };
}
