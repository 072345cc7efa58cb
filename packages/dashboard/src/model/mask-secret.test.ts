import assert from "node:assert/strict";
import { test } from "node:test";
import { maskSecret } from "./mask-secret.ts";

test("[DB4] of a Secret's values no more than their sizes is left, wherever they are", () => {
  const data = { password: Buffer.from("hunter2").toString("base64"), odd: 7 };
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ data }), team: "shop" };
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "a", annotations },
    type: "Opaque",
    data,
    stringData: { plain: "hunter2" },
  };
  const masked = maskSecret(secret);
  assert.deepEqual(masked["data"], { password: "•••••• (7 bytes)", odd: "••••••" });
  assert.deepEqual(masked["stringData"], { plain: "•••••• (7 bytes)" });
  assert.deepEqual(masked.metadata.annotations, { ...annotations, "kubectl.kubernetes.io/last-applied-configuration": "••••••" });
  assert.equal(masked["type"], "Opaque");
  const text = JSON.stringify(masked);
  assert.ok(!text.includes("hunter2") && !text.includes(data.password));
});

test("a Secret whose data is anything else shows none of it", () => {
  const masked = maskSecret({ apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: ["hunter2"] });
  assert.equal(masked["data"], "••••••");
});
