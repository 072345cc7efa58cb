import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient, TransportError } from "@kaji/client";
import { ManualClock } from "@kaji/core/testing";
import { OtherClusters, defineController, fromClusters, runController } from "@kaji/runtime";
import type { Controller, RunOptions } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { OperatorRig, portsOf } from "./operator-rig.ts";

/** Copies each ConfigMap to another cluster, as soon as it is let. */
function copier(edge: OperatorRig, until: () => Promise<void> = async () => {}): Controller {
  const clusters = new OtherClusters({
    connect: async (name, _kubeconfig, { clock, random, outward }) =>
      new KubeClient(outward(edge.server.transport(), `https://${name}:6443`), { clock, random }),
  });
  return defineController(ConfigMap, {
    name: "copier",
    sources: [fromClusters(clusters)],
    async reconcile({ metadata: { name }, data = {} }) {
      const cluster = await clusters.connect("edge", "");
      await until();
      await cluster.apply(Secret, { metadata: { name, namespace: "shop" }, stringData: data });
    },
  });
}

test("[CLU5] requests to another cluster are in the metrics, by its host", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await using edge = new OperatorRig({ clock });
  for (const cluster of [rig, edge]) await cluster.createNamespace("shop");
  await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "a" } });
  const argv = ["--metrics-address=127.0.0.1:0", "--log-level=debug"];
  const started = rig.start({ name: "copier", controllers: [copier(edge)] }, { argv });
  const port = (await portsOf(started, 1)).get("metrics");
  await clock.advance(1000);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  assert.match(metrics, /rest_client_requests_total\{code="201",method="PATCH",host="edge:6443"\} 1/);
});

const ways: Readonly<Record<string, (controller: Controller) => Pick<RunOptions, "controllers" | "runnables">>> = {
  "of the operator": (controller) => ({ controllers: [controller] }),
  "that a part of one's own runs": (controller) => ({
    controllers: [],
    runnables: [{ name: "more", needsLeader: true, run: (signal, services) => runController(controller, services).run(signal) }],
  }),
};

for (const [which, partsWith] of Object.entries(ways)) {
  test(`[CLU5] a controller ${which} writes to no other cluster either when its replica has lost the lease`, async () => {
    const clock = new ManualClock();
    await using rig = new OperatorRig({ clock });
    await using edge = new OperatorRig({ clock });
    for (const cluster of [rig, edge]) for (const name of ["shop", "default"]) await cluster.createNamespace(name);
    await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name: "a" } });
    const gate = Promise.withResolvers<void>();
    let isCut = false;
    rig.start(
      { name: "copier", ...partsWith(copier(edge, () => gate.promise)) },
      {
        argv: ["--leader-elect"],
        wrap: (transport) => (request) => (isCut ? Promise.reject(new TransportError("Unreachable", "cut off")) : transport(request)),
      },
    );
    await clock.advance(3000);
    isCut = true;
    await clock.advance(15_000);
    gate.resolve();
    await clock.advance(15_000);
    assert.deepEqual((await edge.client.list(Secret, { namespace: "shop" })).items, []);
  });
}
