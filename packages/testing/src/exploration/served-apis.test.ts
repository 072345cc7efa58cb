import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { api, defineController, defineOperator, use } from "@kaji/runtime";
import { explore } from "./explore.ts";

interface Price extends KubeObject {
  readonly cents: number;
}
const Price = resource<Price>({ group: "prices.example.com", version: "v1", kind: "Price", plural: "prices", scope: "Cluster" });
const Order = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Order",
  spec: z.object({ item: z.string() }),
  status: z.object({ cents: z.int32() }),
});

test("[SRV4] an exploration serves the APIs of the operator, for controllers that read them", async () => {
  const operator = defineOperator({
    name: "orders",
    apis: [api(Price, { list: () => [{ metadata: { name: "book" }, cents: 900 }] })],
    controllers: [
      defineController(Order, {
        uses: [use(Price, "get")],
        async reconcile({ spec }, { live, setStatus }) {
          const price = await live.get(Price, spec.item);
          await setStatus({ cents: price?.cents ?? 0 });
        },
      }),
    ],
  });
  const { findings, coverage } = await explore({
    ...operator,
    ops: (user) => [user.create(Order, { metadata: { name: "a", namespace: "default" }, spec: { item: "book" } })],
    eventually: { "orders have prices": (world) => world.list(Order).every(({ status }) => status?.cents === 900) },
    runs: 20,
  });
  assert.deepEqual(findings, []);
  assert.ok(coverage.notExplored.includes("APIs of the operator that do not answer: they do while it is away, too"));
});
