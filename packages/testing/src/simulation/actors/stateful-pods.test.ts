import assert from "node:assert/strict";
import { test } from "node:test";
import { isConditionTrue } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, watch } from "@kaji/runtime";
import { ControllerRevision, StatefulSet } from "@kaji/types/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { explore } from "../../exploration/explore.ts";
import { simulate } from "../../simulate.ts";
import type { UserVerbs } from "../operation.ts";
import type { World } from "../world-state.ts";
import { statefulPods } from "./stateful-pods.ts";

const Database = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Database",
  spec: z.object({ replicas: z.int32().min(0).default(2) }),
});
const database = { metadata: { name: "orders", namespace: "default" }, spec: {} };

/** Gives a label to one pod that is ready. `isCareful` decides whether it first takes it from the one before. */
function controller({ isCareful }: { readonly isCareful: boolean }) {
  return defineController(Database, {
    owns: [StatefulSet],
    watches: [watch(Pod, { verbs: ["patch"] })],
    async reconcile({ metadata, spec }, { apply, cache, client }) {
      const labels = { database: metadata.name };
      await apply(StatefulSet, {
        metadata: { name: metadata.name },
        spec: {
          serviceName: metadata.name,
          replicas: spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "db" }] } },
          volumeClaimTemplates: [
            { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
          ],
        },
      });
      const pods = [...cache.list(Pod, { labelSelector: `database=${metadata.name}` })];
      const isReady = (pod: (typeof pods)[number]): boolean =>
        pod.metadata.deletionTimestamp === undefined && isConditionTrue(pod.status?.conditions, "Ready");
      const former = pods.filter((pod) => pod.metadata.labels?.["role"] === "primary");
      const next = former.find(isReady) ?? pods.find(isReady);
      const setRole = async ({ metadata: { name, namespace = "" } }: (typeof pods)[number], role: string): Promise<unknown> =>
        client.mergePatch(Pod, { name, namespace }, { metadata: { labels: { role } } });
      if (next === undefined || former.includes(next)) return;
      if (isCareful) for (const pod of former) await setRole(pod, "replica");
      await setRole(next, "primary");
    },
  });
}

test("a StatefulSet has its pods and claims, and a pod that is deleted comes back", async () => {
  await using simulated = await simulate({ controllers: [controller({ isCareful: true })], world: [statefulPods] });
  const { client, world } = simulated;
  await client.create(Database, database);
  await simulated.settled();
  const roles = (): readonly string[] =>
    world.list(Pod).map(({ metadata, status }) => `${metadata.name} ${status?.phase} ${metadata.labels?.["role"] ?? ""}`);
  assert.deepEqual(roles(), ["orders-0 Running primary", "orders-1 Running "]);
  assert.deepEqual(
    world.list(PersistentVolumeClaim).map(({ metadata, status }) => `${metadata.name} ${status?.phase}`),
    ["data-orders-0 Bound", "data-orders-1 Bound"],
  );
  assert.equal(world.get(StatefulSet, "default/orders")?.status?.readyReplicas, 2);
  await client.delete(Pod, "default/orders-0");
  await simulated.settled();
  assert.deepEqual(roles().toSorted(), ["orders-0 Running ", "orders-1 Running primary"]);
});

test("whoever forgets one of its pods is found out, and whoever does not is not", async () => {
  const options = {
    world: [statefulPods],
    retained: [ControllerRevision, PersistentVolumeClaim],
    mask: [{ resource: Pod, path: "metadata.labels" }],
    always: {
      "there is at most one primary": (world: World) =>
        world.list(Pod).filter(({ metadata }) => metadata.labels?.["role"] === "primary").length <= 1,
    },
    ops: (user: UserVerbs) => [user.create(Database, database), user.delete(Pod, "default/orders-0")],
    runs: 25,
  };
  await explore({ ...options, controllers: [controller({ isCareful: true })] }).expectNoViolations();
  const { findings } = await explore({ ...options, controllers: [controller({ isCareful: false })], findings: 1 });
  assert.match(findings[0]?.violation.message ?? "", /there is at most one primary/);
});
