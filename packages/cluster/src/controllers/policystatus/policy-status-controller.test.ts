import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";
import { createPolicies, repairPolicy, statuses } from "./testing/checked-policies.ts";

const only = ["validatingadmissionpolicy-status-controller"];
const recording = new URL("../../../testdata/policy-type-checking.json", import.meta.url);

test("[VP9] what is doubtful about the types in a policy is in its status, in the words of the real controller, until it is changed", async () => {
  await using cluster = await start();
  await createPolicies(cluster.client, () => cluster.settled());
  await cluster.settled();
  const first = await statuses(cluster.client);
  await repairPolicy(cluster.client);
  await cluster.settled();
  const found = { first, repaired: (await statuses(cluster.client))["wrong-types"] };
  assert.deepEqual(found, JSON.parse(readFileSync(recording, "utf8")));
});

function start(): Promise<Cluster> {
  return startCluster({ clock: new ManualClock(), random: seededRandom(1), controllers: only, nodes: 0, scheduler: false });
}
