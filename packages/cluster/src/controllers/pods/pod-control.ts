import { isNamespaceEnding } from "@kaji/core";
import type { Draft } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import type { PodContext } from "./pod-context.ts";

/** Creates a pod and says so; where the namespace is ending, it does neither. */
export async function createPod(draft: Draft<Pod>, { client, event }: PodContext): Promise<void> {
  try {
    const { metadata } = await client.create(Pod, draft);
    event("Normal", "SuccessfulCreate", `Created pod: ${metadata.name}`);
  } catch (error) {
    if (isNamespaceEnding(error)) return;
    event("Warning", "FailedCreate", `Error creating: ${failureMessage(error)}`);
    throw error;
  }
}

/** Deletes pods, all at the same time, and says so. Throws the first failure when all have been tried. */
export async function deletePods(pods: readonly Pod[], context: PodContext): Promise<void> {
  const outcomes = await Promise.allSettled(pods.map((pod) => deletePod(pod, context)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function deletePod(pod: Pod, { client, event }: PodContext): Promise<void> {
  try {
    await client.delete(Pod, pod);
    event("Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  } catch (error) {
    event("Warning", "FailedDelete", `Error deleting: ${failureMessage(error)}`);
    throw error;
  }
}
