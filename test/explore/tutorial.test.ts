import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { explore, regressionTest, replay } from "@kaji/testing";
import type { ExploreOptions } from "@kaji/testing";
import { StatefulSet } from "@kaji/types/apps/v1";
import { Secret } from "@kaji/types/core/v1";

// The controllers of docs/fault-exploration-tutorial.md, one after the other.

const Database = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Database",
  spec: z.object({ size: z.int32().min(1).default(1) }),
  status: z.object({ conditions: k.conditions() }),
});

const namespace = "default";
const labels = { app: "orders" };
const workload = (size: number) => ({
  metadata: { name: "orders", namespace },
  spec: {
    replicas: size,
    serviceName: "orders",
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "postgres", image: "postgres:18" }] } },
  },
});
const ready = (isReady: boolean) =>
  [{ type: "Ready", status: isReady ? "True" : "False", reason: isReady ? "AllReady" : "Waiting", message: "" }] as const;

const guarded = defineController(Database, {
  owns: [owned(Secret, { applied: false }), owned(StatefulSet, { applied: false })],
  async reconcile(database, { cache, client }) {
    if (cache.get(Secret, "default/orders-tls") !== undefined) return;
    await client.create(Secret, setControllerReference(database, { metadata: { name: "orders-tls", namespace } }));
    await client.create(StatefulSet, setControllerReference(database, workload(database.spec.size)));
  },
});

const hasty = defineController(Database, {
  owns: [Secret, StatefulSet],
  async reconcile({ spec }, { apply, setStatus }) {
    await apply(Secret, { metadata: { name: "orders-tls", namespace } });
    await apply(StatefulSet, workload(spec.size));
    await setStatus({ conditions: ready(true) });
  },
});

const honest = defineController(Database, {
  owns: [Secret, StatefulSet],
  async reconcile({ spec }, { apply, cache, setStatus }) {
    await apply(Secret, { metadata: { name: "orders-tls", namespace } });
    await apply(StatefulSet, workload(spec.size));
    const { metadata, status } = cache.get(StatefulSet, "default/orders") ?? {};
    const isSeen = status?.observedGeneration === metadata?.generation;
    await setStatus({ conditions: ready(isSeen && status?.readyReplicas === spec.size) });
  },
});

const options = (controller: Controller): ExploreOptions => ({
  controllers: [controller],
  ops: (user) => [
    user.create(Database, { metadata: { name: "orders", namespace }, spec: { size: 1 } }),
    user.mergePatch(Database, "default/orders", { spec: { size: 3 } }),
    user.delete(Database, "default/orders"),
  ],
  ready: ({ metadata }, world) => {
    const live = world.get(StatefulSet, "default/orders");
    const wanted = world.get(Database, `${metadata.namespace ?? ""}/${metadata.name}`)?.spec.size;
    return live?.status?.readyReplicas === wanted;
  },
});

test("the first controller does not do what is asked, and forgets half of it when it is killed", async () => {
  const { findings, report } = await explore({ ...options(guarded), runs: 50 });
  const oracles = findings.map(({ violation }) => violation.oracle);
  assert.ok(oracles.includes("path independence") && oracles.includes("end state"), oracles.join());
  assert.match(report, /spec\.replicas is 1, not 3/);
  assert.match(report, /the operator is killed right after create secrets default\/orders-tls/);
});

test("the second says Ready before it is; what was found is played again by a test that is written from it", async () => {
  const { findings } = await explore({ ...options(hasty), findings: 1 });
  const [finding] = findings;
  assert.equal(finding?.violation.oracle, "status honesty");
  const [, plan = ""] = /replay\(options, "([\w-]+)"\)/.exec(regressionTest(finding, { module: "./exploration.ts" })) ?? [];
  assert.equal((await replay(options(hasty), plan)).findings.length, 1);
  assert.deepEqual((await replay(options(honest), plan)).findings, []);
});

test("the third stands", async () => {
  await explore({ ...options(honest), runs: 30, combinations: 10 }).expectNoViolations();
});
