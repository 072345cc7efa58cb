import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { metadataOf } from "@kaji/informer";
import { defineController, webhook } from "@kaji/runtime";
import { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { explore } from "../../exploration/explore.ts";
import { simulate } from "../../simulate.ts";
import type { UserVerbs } from "../operation.ts";
import { deploymentPods } from "./deployment-pods.ts";

const Badge = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Badge",
  spec: z.object({ colour: z.string() }),
  status: z.object({ pods: z.int32().default(0) }),
});
const badge = { metadata: { name: "all", namespace: "default" }, spec: { colour: "red" } };

/** Counts the pods that have a badge. */
const controller = defineController(Badge, {
  watches: [metadataOf(Pod)],
  async reconcile({ metadata: { namespace = "" } }, { cache, setStatus }) {
    await setStatus({ pods: [...cache.list(metadataOf(Pod), { namespace, labelSelector: "badge" })].length });
  },
});

const podWebhook = webhook(Pod, {
  operations: ["CREATE"],
  default(pod) {
    pod.metadata.labels = { ...pod.metadata.labels, badge: "yes" };
  },
});

const deployment = {
  metadata: { name: "web", namespace: "default" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } },
  },
};

test("a Deployment has its pods, which webhooks are asked about, and a rollout replaces them", async () => {
  await using simulated = await simulate({ controllers: [controller], webhooks: [podWebhook], world: [deploymentPods] });
  const { client, world } = simulated;
  await client.create(Badge, badge);
  await client.create(Deployment, deployment);
  await simulated.settled();
  const pods = (): readonly string[] => world.list(Pod).map(({ metadata, status }) => `${status?.phase} ${metadata.labels?.["badge"]}`);
  assert.deepEqual(pods(), ["Running yes", "Running yes"]);
  assert.equal(world.get(Badge, "default/all")?.status?.pods, 2);
  const before = world.list(Pod).map(({ metadata }) => metadata.uid);
  await client.mergePatch(Deployment, "default/web", { spec: { template: { metadata: { annotations: { again: "1" } } } } });
  await simulated.settled();
  const { status } = world.get(Deployment, "default/web") ?? {};
  assert.deepEqual([status?.updatedReplicas, status?.readyReplicas], [2, 2]);
  assert.deepEqual(
    world.list(Pod).filter(({ metadata }) => before.includes(metadata.uid)),
    [],
  );
});

test("nothing is found in an operator that counts them", async () => {
  await explore({
    controllers: [controller],
    webhooks: [podWebhook],
    world: [deploymentPods],
    retained: [ReplicaSet],
    ops: (user: UserVerbs) => [
      user.create(Badge, badge),
      user.create(Deployment, deployment),
      user.mergePatch(Deployment, "default/web", { spec: { replicas: 1 } }),
    ],
    runs: 20,
  }).expectNoViolations();
});
