import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { objectKey } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { fromClusters } from "./from-clusters.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";
import { OtherClusters } from "./other-clusters.ts";

/** A cluster with Bars, and others that they are copied to as Parts: the name of a Bar is that of a cluster, and that of its Part the kubeconfig. */
class World implements AsyncDisposable {
  readonly here: TestWorld;
  readonly others: ReadonlyMap<string, TestWorld>;
  readonly down = new Set<string>();
  readonly sent: string[] = [];
  readonly connections: string[] = [];
  readonly reconciled: string[] = [];
  readonly clusters: OtherClusters;

  private constructor(here: TestWorld, others: ReadonlyMap<string, TestWorld>) {
    this.here = here;
    this.others = others;
    this.clusters = new OtherClusters({
      fieldManager: "copies",
      labelSelector: "copy",
      connect: async (name, kubeconfig, { clock, random, outward }) => {
        this.connections.push(`${name} by ${kubeconfig}`);
        if (kubeconfig === "broken") throw new Error("is no kubeconfig");
        return new KubeClient(outward(this.#wayTo(name), `https://${name}`), { clock, random, retries: 0 });
      },
    });
  }

  static async of(...names: readonly string[]): Promise<World> {
    const others = new Map<string, TestWorld>();
    for (const name of names) others.set(name, await barWorld());
    const world = new World(await barWorld(), others);
    for (const name of names) await world.here.client.create(Bar, barDraft(name, { partName: "first" }));
    return world;
  }

  get controller(): Controller {
    const { clusters, reconciled } = this;
    return defineController(Bar, {
      sources: [
        fromClusters(clusters, { toKeys: ({ key }, { name }) => (key === "default/odd" ? assert.fail("odd") : [`default/${name}`]) }),
      ],
      async reconcile({ metadata: { name }, spec }, { cache, signal }) {
        clusters.keepOnly(new Set(cache.list(Bar).map((bar) => bar.metadata.name)));
        const cluster = await clusters.connect(name, spec.partName);
        const part = { metadata: { name: "copy", namespace: "default", labels: { copy: "yes" } }, spec: { size: spec.size } };
        const { spec: copied } = await cluster.apply(Part, part, { signal });
        reconciled.push(`${name} ${copied.size}`);
      },
    });
  }

  other(name: string): TestWorld {
    return this.others.get(name) ?? assert.fail(name);
  }

  /** Runs all clusters until nothing is left to happen in any. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round++) for (const world of [...this.others.values(), this.here]) await world.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const world of [this.here, ...this.others.values()]) await world[Symbol.asyncDispose]();
  }

  #wayTo(name: string): Transport {
    return async (request) => {
      if (this.down.has(name)) throw new Error("no route to host");
      if (request.method !== "GET") this.sent.push(`${request.method} ${name}`);
      return this.other(name).transport(request);
    };
  }
}

test("[CLU1] a cluster is connected when it is first needed, and what happens there to what is mirrored asks for objects here", async () => {
  await using world = await World.of("east", "west");
  world.here.start(world.controller);
  await world.settle();
  assert.deepEqual(world.reconciled.splice(0).toSorted(), ["east 1", "west 1"]);
  assert.deepEqual(world.connections, ["east by first", "west by first"]);
  await world.other("west").client.mergePatch(Part, "default/copy", { spec: { size: 7 } });
  await world.settle();
  assert.deepEqual(world.reconciled.splice(0), ["west 1"]);
  assert.equal((await world.other("west").find(Part, "default/copy"))?.spec.size, 1);
  await world.other("east").client.delete(Part, "default/copy");
  await world.settle();
  assert.deepEqual(world.reconciled.splice(0), ["east 1"]);
});

test("[CLU2] what is there as it is wanted is not sent, and what the operator writes there does not wake it", async () => {
  await using world = await World.of("east");
  world.here.start(world.controller);
  await world.settle();
  assert.deepEqual([world.sent.splice(0), world.reconciled.splice(0)], [["PATCH east"], ["east 1"]]);
  await world.here.client.mergePatch(Bar, "default/east", { metadata: { labels: { again: "yes" } } });
  await world.settle();
  assert.deepEqual([world.sent.splice(0), world.reconciled.splice(0)], [[], ["east 1"]]);
  await world.here.client.mergePatch(Bar, "default/east", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual([world.sent.splice(0), world.reconciled.splice(0)], [["PATCH east"], ["east 2"]]);
});

test("[CLU1] another kubeconfig connects a cluster anew, and one that is named no longer is let go", async () => {
  await using world = await World.of("east", "west");
  world.here.start(world.controller);
  await world.settle();
  await world.here.client.mergePatch(Bar, "default/east", { spec: { partName: "second" } });
  await world.settle();
  assert.deepEqual(world.connections, ["east by first", "west by first", "east by second"]);
  await world.here.client.delete(Bar, "default/west");
  await world.here.client.mergePatch(Bar, "default/east", { spec: { size: 3 } });
  await world.settle();
  assert.deepEqual(world.clusters.names, ["east"]);
  world.reconciled.splice(0);
  await world.other("west").client.delete(Part, "default/copy");
  await world.settle();
  assert.deepEqual(world.reconciled, []);
});

test("[CLU1] a kubeconfig that is wrong fails the reconcile that needs it, and is read again by the next", async () => {
  await using world = await World.of("east");
  await world.here.client.mergePatch(Bar, "default/east", { spec: { partName: "broken" } });
  world.here.start(world.controller);
  await world.settle();
  await world.here.pass(5);
  await world.settle();
  assert.deepEqual(new Set(world.connections), new Set(["east by broken"]));
  assert.ok(world.connections.length > 1);
  assert.deepEqual(world.clusters.names, []);
});

test("[CLU3] a cluster that does not answer is told of once, is asked rather than believed, and disturbs no other", async () => {
  await using world = await World.of("east", "west");
  world.here.start(world.controller);
  await world.settle();
  world.down.add("east");
  world.other("east").breakWatches();
  for (const name of ["east", "west"]) await world.here.client.mergePatch(Bar, `default/${name}`, { spec: { size: 5 } });
  await world.settle();
  await world.here.pass(60_000);
  await world.settle();
  assert.equal((await world.other("west").find(Part, "default/copy"))?.spec.size, 5);
  world.down.delete("east");
  await world.here.pass(180_000);
  await world.settle();
  assert.equal((await world.other("east").find(Part, "default/copy"))?.spec.size, 5);
  const told = world.here.log.lines.filter(({ level, fields }) => level === "warn" && fields["cluster"] === "east");
  assert.deepEqual(
    told.map(({ message, fields }) => [message, fields["watched"]]),
    [
      ["list or watch in a cluster failed; will retry", "samplecontroller.example.com/v1alpha1, Kind=Part"],
      ["list and watch in a cluster are answered again", "samplecontroller.example.com/v1alpha1, Kind=Part"],
    ],
  );
});

test("[CLU4] mirrors end with the last controller, and a mapping that throws is told of", async () => {
  await using world = await World.of("east");
  const program = world.here.start(world.controller);
  await world.settle();
  const odd = { metadata: { name: "odd", namespace: "default", labels: { copy: "yes" } }, spec: {} };
  await world.other("east").client.create(Part, odd);
  await world.settle();
  assert.deepEqual(
    world.here.log.lines.map(({ message, fields }) => [message, fields["cluster"], fields["object"]]),
    [["source mapping threw; its keys are not enqueued", "east", "default/odd"]],
  );
  await program.stop();
  assert.deepEqual(world.clusters.names, []);
});

test("[CLU4] a reconcile that is under way when the controller is to end connects and writes to its end", async () => {
  await using world = await World.of("east", "west");
  const gate = Promise.withResolvers<void>();
  const did: string[] = [];
  const { clusters } = world;
  const slow = defineController(Bar, {
    sources: [fromClusters(clusters)],
    async reconcile({ metadata: { name } }, { signal }) {
      if (name !== "east") return;
      for (const edge of ["east", "west"]) {
        const cluster = await clusters.connect(edge, "first");
        await cluster.apply(Part, { metadata: { name: "copy", namespace: "default" }, spec: {} }, { signal });
        did.push(edge);
        await gate.promise;
      }
    },
  });
  const program = world.here.start(slow);
  await world.settle();
  const stopped = program.stop();
  await world.settle();
  gate.resolve();
  await stopped;
  assert.deepEqual([did, world.here.log.messages], [["east", "west"], []]);
  world.here.start(world.controller);
  await world.settle();
  assert.deepEqual(world.connections, ["east by first", "west by first", "east by first", "west by first"]);
});

test("[CLU4] a controller without the source is told to have it", async () => {
  await assert.rejects(new OtherClusters().connect("east", ""), /add fromClusters\(clusters, …\) to the sources of this controller/);
});

test("[CLU6] whoever waits for what a cluster has waits no longer than its signal, nor than the cluster is connected", async () => {
  await using world = await World.of("east", "west");
  await world.other("east").client.create(Part, { metadata: { name: "p", namespace: "default", labels: { copy: "yes" } }, spec: {} });
  world.here.start(world.controller);
  await world.settle();
  const never = new AbortController().signal;
  const east = await world.clusters.connect("east", "first");
  assert.equal((await east.lister(Part, never)).get(objectKey({ namespace: "default", name: "p" }))?.metadata.name, "p");
  world.down.add("west");
  const west = await world.clusters.connect("west", "second");
  const ended = new AbortController();
  const deadline = west.lister(Part, ended.signal);
  const letGo = west.lister(Part, never);
  ended.abort(new Error("the deadline has passed"));
  await assert.rejects(deadline, { message: "the deadline has passed" });
  world.clusters.keepOnly(new Set(["east"]));
  await assert.rejects(letGo, { message: "cluster west is no longer connected" });
  await assert.rejects(west.lister(Part, never), { message: "cluster west is no longer connected" });
});

test("[CLU5] requests to another cluster go the way of the operator's own: a replica that lost its lease writes there no more", async () => {
  await using world = await World.of("east");
  let isLost = false;
  const servers: string[] = [];
  const fence = (): void => {
    if (isLost) throw new Error("the lease is lost");
  };
  const outward = (transport: Transport, server: string): Transport => (servers.push(server), transport);
  world.here.start(world.controller, { outward, fence });
  await world.settle();
  isLost = true;
  await world.here.client.mergePatch(Bar, "default/east", { spec: { size: 5 } });
  await world.settle();
  assert.deepEqual([servers, world.sent], [["https://east"], ["PATCH east"]]);
});
