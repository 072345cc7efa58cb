import { unlessGone } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { PodContext } from "../pods/pod-context.ts";
import { trackingFinalizer } from "./pod-tracking.ts";

/** Removes the tracking finalizer from pods, so that the API server can delete them. A pod that is gone already is no failure. */
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
  await unlessGone(client.mergePatch(Pod, pod.metadata, { metadata: { uid, resourceVersion, finalizers: others } }));
}
