import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import { ConfigMap } from "@kaji/types/core/v1";
import { finalOperations } from "./final-operations.ts";

const fieldsV1 = { "f:data": { "f:a": {} } };

function configMap(uid: string, managers: readonly string[]): DynamicObject {
  const managedFields = managers.map((manager) => ({ manager, operation: "Update" as const, fieldsType: "FieldsV1" as const, fieldsV1 }));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: uid, namespace: "default", uid, managedFields } };
}

test("what users want is what they wrote, and what nobody has written a field of unless the operator made it", () => {
  const objects = [
    configMap("theirs", ["user", "operator"]),
    configMap("ours", ["operator"]),
    configMap("empty", []),
    configMap("ours-empty", []),
  ];
  const operations = finalOperations(objects, [ConfigMap], new Set(["ours", "ours-empty"]));
  assert.deepEqual(
    operations.map(({ text }) => text.split(" ").slice(0, 3).join(" ")),
    ["create ConfigMap default/theirs", "create ConfigMap default/empty"],
  );
});
