import { Deployment } from "@kaji/types/apps/v1";
import type { DeploymentStatus } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import type { ContainerStatus } from "@kaji/types/core/v1";
import type { KubeObject } from "@kaji/core";
import type { ClusterSession } from "../cluster-session.ts";
import { logRecord } from "../log-record.ts";
import type { Progress } from "./wait-until.ts";

/** Where it is read. */
type RolloutReads = Pick<ClusterSession, "client" | "signal">;

/** Whether all copies of a Deployment are the new ones and available; if not, what keeps them. */
export async function lookAtRollout(session: RolloutReads, { metadata }: KubeObject): Promise<Progress> {
  const { client, signal } = session;
  const { metadata: live, spec, status = {} } = await client.get(Deployment, metadata, { signal });
  const { replicas = 1 } = spec ?? {};
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas: present = 0 } = status;
  const isSeen = observedGeneration >= (live.generation ?? 0);
  // What is said of an older generation counts copies that are to be replaced.
  const updated = isSeen ? updatedReplicas : 0;
  const old = present - updated;
  if (isSeen && updated === replicas && availableReplicas === replicas && old === 0) return { done: true };
  const obstacle = replicaFailure(status) ?? (await obstacleOfPods(session, metadata, spec?.selector.matchLabels ?? {}));
  const counts = old > 0 ? `${updated} of ${replicas} new, ${old} old left` : `${availableReplicas} of ${replicas} available`;
  const state = `waiting for Deployment ${metadata.namespace}/${metadata.name}: ${counts}`;
  return { done: false, state: obstacle === undefined ? state : `${state}; ${obstacle}` };
}

/** Why copies cannot be made. */
function replicaFailure({ conditions = [] }: DeploymentStatus): string | undefined {
  return conditions.find(({ type, status }) => type === "ReplicaFailure" && status === "True")?.message;
}

/** Why containers do not run that are to. */
async function obstacleOfPods(
  { client, signal }: RolloutReads,
  { namespace = "" }: KubeObject["metadata"],
  matchLabels: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const { items } = await client.list(Pod, { namespace, labelSelector: { matchLabels }, signal });
  for (const { metadata, status } of items) {
    if (metadata.deletionTimestamp !== undefined) continue;
    for (const container of status?.containerStatuses ?? []) {
      if (container.ready) continue;
      const obstacle = lastWords(container) ?? obstacleOf(container);
      if (obstacle !== undefined) return `${metadata.name}: ${container.name}: ${obstacle}`;
    }
    const unscheduled = status?.conditions?.find(({ type, status: holds }) => type === "PodScheduled" && holds === "False");
    if (unscheduled?.message !== undefined) return `${metadata.name}: ${unscheduled.message}`;
  }
  return undefined;
}

/** What Node writes below an error that nobody caught, and empty lines. */
const belowError = /^(?:\s|\}|Node\.js v|Emitted 'error' event |$)/;

/** What a container that failed wrote in the end, if its node kept it. */
function lastWords({ state, lastState }: ContainerStatus): string | undefined {
  const { exitCode = 0, message = "" } = state?.terminated ?? lastState?.terminated ?? {};
  const line = message.split("\n").findLast((each) => !belowError.test(each));
  if (exitCode === 0 || line === undefined) return undefined;
  const record = logRecord(line);
  const words = record === undefined ? line : [record.message, record.error?.text ?? ""].join(" ").trimEnd();
  return `ended with code ${exitCode}: ${words}`;
}

/** Why it does not run, in the words of its node. */
function obstacleOf({ state }: ContainerStatus): string | undefined {
  const { reason = "", message = "" } = state?.waiting ?? state?.terminated ?? {};
  if (reason === "" || reason === "ContainerCreating") return undefined;
  return message === "" ? reason : `${reason}: ${message}`;
}
