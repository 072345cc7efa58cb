import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, watch } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { Node } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Pause = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Pause",
  spec: z.object({ isOn: z.boolean().default(true) }),
});

const former = "shop.example.com/former-replicas";

test("what users want of an object is not what the operator has written over it", async () => {
  const controller = defineController(Pause, {
    watches: [watch(Deployment, { verbs: ["patch"], toKeys: () => ["default/night"] })],
    async reconcile({ spec }, { cache, client }) {
      for (const { metadata, spec: present } of cache.list(Deployment, { namespace: "default" })) {
        const { resourceVersion = "", annotations } = metadata;
        const isPaused = present?.replicas === 0;
        const note = annotations?.[former];
        if (spec.isOn && !isPaused) {
          const noted = { resourceVersion, annotations: { [former]: String(present?.replicas) } };
          await client.mergePatch(Deployment, metadata, { metadata: noted, spec: { replicas: 0 } });
        } else if (!spec.isOn && note !== undefined) {
          const back = isPaused ? { spec: { replicas: Number(note) } } : {};
          await client.mergePatch(Deployment, metadata, { metadata: { resourceVersion, annotations: { [former]: null } }, ...back });
        }
      }
    },
  });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
  const { findings, report } = await explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Deployment, {
        metadata: { name: "web", namespace: "default" },
        spec: { replicas: 3, selector: { matchLabels: labels }, template },
      }),
      user.create(Pause, { metadata: { name: "night", namespace: "default" }, spec: {} }),
      user.mergePatch(Deployment, "default/web", { spec: { replicas: 5 } }),
      user.mergePatch(Pause, "default/night", { spec: { isOn: false } }),
    ],
    runs: 20,
  });
  assert.equal(findings.length, 0, report);
});

test("an object is wanted also when the operator has written over all that its user wrote", async () => {
  const Drain = defineResource({
    group: "shop.example.com",
    version: "v1",
    kind: "Drain",
    scope: "Cluster",
    spec: z.object({ node: z.string() }),
  });
  const controller = defineController(Drain, {
    watches: [watch(Node, { verbs: ["patch"] })],
    async reconcile({ spec }, { cache, client }) {
      const node = cache.get(Node, spec.node);
      const { taints = [] } = node?.spec ?? {};
      if (node === undefined || taints.some(({ key }) => key === "drain")) return;
      const { resourceVersion = "" } = node.metadata;
      const wanted = [...taints.map((taint) => ({ ...taint })), { key: "drain", effect: "NoSchedule" } as const];
      await client.mergePatch(Node, node.metadata, { metadata: { resourceVersion }, spec: { taints: wanted } });
    },
  });
  const { findings, report } = await explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Node, { metadata: { name: "a" }, spec: { taints: [{ key: "gpu", effect: "NoSchedule" }] } }),
      user.create(Drain, { metadata: { name: "kernel" }, spec: { node: "a" } }),
    ],
    runs: 20,
  });
  assert.equal(findings.length, 0, report);
});
