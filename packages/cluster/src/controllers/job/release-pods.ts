import { isReason } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { PodContext } from "../pods/pod-context.ts";
import { trackingFinalizer } from "./pod-tracking.ts";

/** Lets go of pods whose end is known: they may now disappear. Those that have are no failure. */
export async function releasePods(
  pods: readonly Pod[],
  context: { readonly client: Pick<PodContext["client"], "mergePatch"> },
): Promise<void> {
  const outcomes = await Promise.allSettled(pods.map((pod) => releasePod(pod, context)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function releasePod(pod: Pod, { client }: { readonly client: Pick<PodContext["client"], "mergePatch"> }): Promise<void> {
  const { uid = "", resourceVersion = "", finalizers = [] } = pod.metadata;
  const others = finalizers.filter((finalizer) => finalizer !== trackingFinalizer);
  if (others.length === finalizers.length) return;
  try {
    await client.mergePatch(Pod, pod.metadata, { metadata: { uid, resourceVersion, finalizers: others } });
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
  }
}
