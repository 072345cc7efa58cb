import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeepReadonly } from "@kaji/core/define";
import { defineResource, z } from "@kaji/core/define";
import type { ObjectOf } from "@kaji/core";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./exploration/explore.ts";
import { testCluster } from "./test-cluster.ts";
import { validate } from "./validate.ts";

const RecordSet = defineResource({
  group: "dns.example.com",
  version: "v1",
  kind: "RecordSet",
  spec: z.object({
    data: z.discriminatedUnion("type", [
      z.object({ type: z.literal("A"), addresses: z.array(z.ipv4()).min(1) }),
      z.object({ type: z.literal("CNAME"), target: z.string().min(1) }),
    ]),
  }),
  columns: { Type: "spec.data.type" },
});
type RecordSet = ObjectOf<typeof RecordSet>;

const controller = defineController(RecordSet, {
  owns: [ConfigMap],
  async reconcile({ metadata: { name }, spec }, { apply }) {
    await apply(ConfigMap, { metadata: { name }, data: { values: valuesOf(spec.data).join() } });
  },
});

function valuesOf(data: DeepReadonly<RecordSet["spec"]["data"]>): readonly string[] {
  switch (data.type) {
    case "A":
      return data.addresses;
    case "CNAME":
      return [data.target];
    default:
      return data satisfies never;
  }
}

const metadata = { name: "www", namespace: "default" };

test("[DEF15] a discriminated union is written, narrowed by the controller, and changed from one variant to another", async () => {
  await using cluster = await testCluster({ controllers: [controller] });
  await cluster.client.create(RecordSet, { metadata, spec: { data: { type: "A", addresses: ["192.0.2.1"] } } });
  await cluster.settled();
  assert.equal((await cluster.client.get(ConfigMap, "default/www")).data?.["values"], "192.0.2.1");
  const { metadata: stored } = await cluster.client.get(RecordSet, "default/www");
  await cluster.client.update(RecordSet, { metadata: stored, spec: { data: { type: "CNAME", target: "a.example.com" } } });
  await cluster.settled();
  assert.equal((await cluster.client.get(ConfigMap, "default/www")).data?.["values"], "a.example.com");
});

test("[DEF15] a field of another variant, and one that is missing, are told by name", async () => {
  // @ts-expect-error -- the types refuse it too
  const problems = await validate(RecordSet, { metadata, spec: { data: { type: "CNAME", addresses: ["192.0.2.1"] } } });
  assert.deepEqual(problems.map(({ field, message }) => `${field}: ${message}`).toSorted(), [
    "spec.data.addresses: Forbidden: is only for type A",
    "spec.data.target: Required value: is needed for type CNAME",
  ]);
});

test("[DEF15] an exploration begins with the sample", async () => {
  await explore({ controllers: [controller], runs: 5 }).expectNoViolations();
});
