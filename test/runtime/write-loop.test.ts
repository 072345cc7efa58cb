import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController } from "@kaji/runtime";
import { testCluster } from "@kaji/testing";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { Event } from "@kaji/types/events/v1";

/** Keeps a copy of what a ConfigMap says: a kind that has no generation. */
const copying = defineController(ConfigMap, {
  name: "copy",
  labelSelector: "copied=yes",
  owns: [Secret],
  async reconcile({ data = {} }, { apply }) {
    await apply(Secret, { metadata: { name: "copy" }, stringData: data });
  },
});

test("[LOOP2] writes that follow changes of an object whose kind has no generation are no loop", async () => {
  await using cluster = await testCluster({ controllers: [copying] });
  await cluster.client.create(ConfigMap, { metadata: { name: "a", namespace: "default", labels: { copied: "yes" } } });
  for (let times = 0; times < 12; times++) {
    await cluster.client.mergePatch(ConfigMap, "default/a", { data: { times: String(times) } });
    await cluster.settled();
  }
  const { data = {} } = await cluster.client.get(Secret, "default/copy");
  assert.equal(Buffer.from(data["times"] ?? "", "base64").toString(), "11");
  const { items } = await cluster.client.list(Event, { namespace: "default" });
  assert.deepEqual(
    items.filter(({ reason }) => reason === "WriteLoop").map(({ note }) => note),
    [],
  );
});
