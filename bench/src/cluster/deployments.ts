import type { KubeClient } from "@kaji/client";
import type { Draft } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";

/** A Deployment as tutorials have it. */
export function deployment(name: string, replicas: number): Draft<Deployment> {
  const labels = { app: name };
  const containers = [{ name: "nginx", image: "nginx:1.14.2", ports: [{ containerPort: 80 }] }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** Makes one. */
export async function createDeployment(client: KubeClient, name: string, replicas: number): Promise<void> {
  await client.create(Deployment, deployment(name, replicas));
}
