import assert from "node:assert/strict";
import { test } from "node:test";
import { Event, Pod } from "@kaji/types/core/v1";
import { startCluster } from "../start-cluster.ts";

test("[LOOP5] events of the kubelet have their times and counts where they always were, those of the scheduler where they are now", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Pod, { metadata: { name: "a", namespace: "default" }, spec: { containers: [{ name: "a", image: "a" }] } });
  await cluster.settled();
  const { items } = await cluster.client.list(Event, { namespace: "default", fieldSelector: "involvedObject.name=a" });
  const [scheduled, ...others] = items;
  assert.partialDeepStrictEqual(scheduled, { reason: "Scheduled", reportingComponent: "default-scheduler", firstTimestamp: null });
  assert.ok(typeof scheduled?.eventTime === "string");
  assert.deepEqual(
    others.map(({ reason }) => reason),
    ["Pulled", "Created", "Started"],
  );
  for (const event of others) {
    assert.partialDeepStrictEqual(event, { count: 1, eventTime: null, source: { component: "kubelet" }, reportingComponent: "kubelet" });
    assert.equal(event.firstTimestamp, event.lastTimestamp);
  }
});
