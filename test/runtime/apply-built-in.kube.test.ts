import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { KubeClient, httpTransport, loadConfig } from "@kaji/client";
import { systemClock } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, Service } from "@kaji/types/core/v1";
import { runOnce, succeedLoop } from "./web-program.ts";

test("[APP2] [APP5] [APP9] [APP15] children are made, left alone, mended and taken over on a real server as on ours", async () => {
  await using kube = await startKube();
  const { connection } = await loadConfig({ kubeconfig: kube.kubeconfig });
  await using transport = httpTransport(connection);
  const user = new KubeClient((request) => transport(request));
  const site = {
    transport: (request: Parameters<typeof transport>[0]) => transport(request),
    clock: systemClock,
    moment: () => systemClock.sleep(20),
  };
  await user.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  const [deployment, service] = ["PATCH /apis/apps/v1/namespaces/default/deployments/web", "PATCH /api/v1/namespaces/default/services/web"];
  const others = ["apps/v1/namespaces/default/statefulsets", "networking.k8s.io/v1/namespaces/default/networkpolicies"].map(
    (path) => `PATCH /apis/${path}/web`,
  );
  assert.deepEqual(await runOnce(site), [deployment, service, ...others]);
  assert.deepEqual(await runOnce(site), []);
  await user.scale(Deployment, "default/web", 5);
  assert.deepEqual(await runOnce(site), [deployment]);
  assert.equal((await user.get(Deployment, "default/web")).spec?.replicas, 2);
  assert.deepEqual(await runOnce(site), []);

  // A name that is taken is left alone, and reported.
  await user.delete(Service, "default/web");
  await user.create(Service, { metadata: { name: "web", namespace: "default" }, spec: { ports: [{ port: 81 }] } });
  const said = await runOnce(site);
  assert.ok(said.length > 0 && said.every((line) => line.includes("it is left alone")), said.join("\n"));

  await user.delete(Service, "default/web");
  await user.delete(Deployment, "default/web");
  await succeedLoop(user, site);
});
