import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { bodyFromBytes, isReason } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ChangeReport } from "./change-report.ts";
import { findDoomed } from "./remove-objects.ts";

test("a cluster that does not say what it serves is not taken for one that has nothing to remove", async () => {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", message: "you may not ask", code: 403 };
  const tools = { clock: new ManualClock(), random: seededRandom(1) };
  const client = new KubeClient(
    async () => ({ status: 403, headers: {}, body: bodyFromBytes(Buffer.from(JSON.stringify(status))) }),
    tools,
  );
  const session = { client, cluster: "test", clock: tools.clock, signal: new AbortController().signal };
  const report = new ChangeReport({ out: () => {}, err: () => {} }, "text");
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "bars", namespace: "bars-system" } };
  await assert.rejects(findDoomed(session, [deployment], { operator: "bars", report }), (error) => isReason(error, "Forbidden"));
});
