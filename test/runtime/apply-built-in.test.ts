import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { runOnce, succeedLoop } from "./web-program.ts";

test("[APP2] of children of built-in kinds nothing is sent when they match, whatever the server filled in, not even after a restart", async () => {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
  const site = { transport: server.transport(), clock, moment: () => clock.advance(10) };
  const user = new KubeClient(server.transport(), { clock });
  await user.create(Namespace, { metadata: { name: "default" } });
  await user.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  const deployment = "PATCH /apis/apps/v1/namespaces/default/deployments/web";
  const others = ["apps/v1/namespaces/default/statefulsets", "networking.k8s.io/v1/namespaces/default/networkpolicies"].map(
    (path) => `PATCH /apis/${path}/web`,
  );
  assert.deepEqual(await runOnce(site), [deployment, "PATCH /api/v1/namespaces/default/services/web", ...others]);
  assert.deepEqual(await runOnce(site), []);
  await user.scale(Deployment, "default/web", 5);
  assert.deepEqual(await runOnce(site), [deployment]);
  assert.deepEqual(await runOnce(site), []);
});

test("[APP15] children of built-in kinds that a program without server-side apply has made are taken over as they are", async () => {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
  const user = new KubeClient(server.transport(), { clock });
  await user.create(Namespace, { metadata: { name: "default" } });
  await user.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  await succeedLoop(user, { transport: server.transport(), clock, moment: () => clock.advance(10) });
});
