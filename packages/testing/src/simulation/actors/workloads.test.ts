import assert from "node:assert/strict";
import { test } from "node:test";
import type { MergePatch } from "@kaji/client";
import { defineController } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { simulate } from "../../simulate.ts";

const labels = { app: "web" };
const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: "web", image }] } });

/** The states that a controller of Deployments is shown after a change: those that are updated, are ready and wanted, and whether that is enough. */
async function rollout(change: MergePatch<Deployment>): Promise<readonly string[]> {
  const seen: string[] = [];
  const watching = defineController(Deployment, {
    reconcile({ spec, status }) {
      const available = status?.conditions?.find(({ type }) => type === "Available");
      seen.push(`${status?.updatedReplicas ?? 0}, ${status?.readyReplicas ?? 0} of ${spec?.replicas}: ${available?.status ?? "Unknown"}`);
    },
  });
  await using simulated = await simulate({ controllers: [watching] });
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: template("web:1") };
  await simulated.client.create(Deployment, { metadata: { name: "web", namespace: "default" }, spec });
  await simulated.settled();
  seen.length = 0;
  await simulated.client.mergePatch(Deployment, "default/web", change);
  await simulated.settled();
  return seen;
}

test("a Deployment with another template is available throughout, and rolled out in the end", async () => {
  const states = await rollout({ spec: { template: template("web:2") } });
  assert.deepEqual(states, ["2, 2 of 2: True", "0, 2 of 2: True", "2, 2 of 2: True"]);
});

test("a Deployment with more replicas is available again when they are ready", async () => {
  const states = await rollout({ spec: { replicas: 3 } });
  assert.deepEqual(states, ["2, 2 of 3: True", "2, 2 of 3: False", "3, 3 of 3: True"]);
});

test("a Deployment with fewer replicas stays available", async () => {
  const states = await rollout({ spec: { replicas: 1 } });
  assert.deepEqual(states, ["2, 2 of 1: True", "1, 1 of 1: True"]);
});
