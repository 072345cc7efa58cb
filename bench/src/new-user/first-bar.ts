import { createClient } from "@kaji/client";
import { isReason } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";

/** The sample that a user applies. */
const bar = {
  apiVersion: "samplecontroller.example.com/v1alpha1",
  kind: "Bar",
  metadata: { name: "example", namespace: "default" },
  spec: { deploymentName: "web", replicas: 2 },
};

/** Creates a Bar. */
export async function createBar(kubeconfig: string): Promise<void> {
  await using client = await createClient({ kubeconfig, fieldManager: "bench" });
  await client.create(await client.discovery.resourceOf(bar), bar);
}

/** The image that the Deployment of the Bar runs; undefined while there is none. */
export async function imageOf(kubeconfig: string): Promise<string | undefined> {
  await using client = await createClient({ kubeconfig });
  try {
    const { spec } = await client.get(Deployment, "default/web");
    return spec?.template.spec?.containers[0]?.image;
  } catch (error) {
    if (isReason(error, "NotFound")) return undefined;
    throw error;
  }
}
