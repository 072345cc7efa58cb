import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "./create-api-server.ts";

test("a server without a plugin of admission does not do what the plugin does, and all that others do", async () => {
  const clock = new ManualClock();
  const without = async (withoutAdmission: readonly string[]): Promise<number> => {
    const storage = createMemoryStorage({ clock });
    await using server = createApiServer({ storage, clock, random: seededRandom(1), withoutAdmission });
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    const { status } = await server.transport()({
      method: "POST",
      path: "/api/v1/namespaces/not-there/configmaps",
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    return status;
  };
  assert.equal(await without([]), 404);
  assert.equal(await without(["ResourceQuota"]), 404);
  assert.equal(await without(["NamespaceLifecycle"]), 201);
});
