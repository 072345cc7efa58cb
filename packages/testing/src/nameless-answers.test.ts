import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { arrayAt, jsonOf, textAt } from "@kaji/core";
import { defineController, reconcileChannel, use } from "@kaji/runtime";
import { SubjectAccessReview } from "@kaji/types/authorization/v1";
import { Binding, Pod } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";

test("[REP1] what is answered without a name is reported by what was written", async () => {
  const told: object[] = [];
  const hear = (report: unknown): void => {
    if (typeof report === "object" && report !== null) told.push(report);
  };
  subscribe(reconcileChannel, hear);
  const binder = defineController(Pod, {
    name: "binder",
    uses: [use(Binding, "create"), use(SubjectAccessReview, "create")],
    writesStatus: false,
    async reconcile({ metadata: { name, namespace = "" }, spec }, { client }) {
      if (spec?.nodeName !== undefined) return;
      await client.create(SubjectAccessReview, {
        metadata: { name: "" },
        spec: { user: "ann", nonResourceAttributes: { path: "/", verb: "get" } },
      });
      await client.create(Binding, { metadata: { name, namespace }, target: { kind: "Node", name: "node-1" } });
    },
  });
  await using cluster = await testCluster({ controllers: [binder] });
  await cluster.client.create(Pod, {
    metadata: { name: "a", namespace: "default" },
    spec: { schedulerName: "none", containers: [{ name: "a", image: "a" }] },
  });
  await cluster.settled();
  unsubscribe(reconcileChannel, hear);
  const written = told.map((report) => jsonOf(report)).filter(({ controller }) => controller === "binder");
  const writes = written.flatMap((report) => arrayAt(report, "writes").map((write) => [textAt(write, "kind"), textAt(write, "key")]));
  assert.deepEqual(writes, [
    ["SubjectAccessReview", "*"],
    ["Binding", "default/a"],
  ]);
});
