import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { ConfigMap } from "@kaji/types/core/v1";
import { finalOperations } from "./final-operations.ts";

const none: ReadonlyMap<string, JsonObject> = new Map();
const fieldsV1 = { "f:data": { "f:a": {} } };

function configMap(uid: string, managers: readonly string[]): DynamicObject {
  const managedFields = managers.map((manager) => ({ manager, operation: "Update" as const, fieldsType: "FieldsV1" as const, fieldsV1 }));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: uid, namespace: "default", uid, managedFields } };
}

test("an object is a user's also when the operator has written over all that the user wrote, but not when that was a status", () => {
  const objects = [{ ...configMap("theirs", ["operator"]), data: { a: "ours" } }, configMap("ours", ["operator"])];
  const overwritten = new Map<string, JsonObject>([
    ["theirs", { data: { a: "theirs" } }],
    ["ours", { status: { a: "theirs" } }],
  ]);
  const operations = finalOperations({ objects, overwritten }, [ConfigMap], new Set());
  assert.deepEqual(
    operations.map(({ text }) => text),
    ['create ConfigMap default/theirs {"data":{"a":"theirs"}}', 'patch ConfigMap/status default/ours {"status":{"a":"theirs"}}'],
  );
});

test("what users want is what they wrote, and what nobody has written a field of unless the operator made it", () => {
  const objects = [
    configMap("theirs", ["user", "operator"]),
    configMap("ours", ["operator"]),
    configMap("empty", []),
    configMap("ours-empty", []),
  ];
  const operations = finalOperations({ objects, overwritten: none }, [ConfigMap], new Set(["ours", "ours-empty"]));
  assert.deepEqual(
    operations.map(({ text }) => text.split(" ").slice(0, 3).join(" ")),
    ["create ConfigMap default/theirs", "create ConfigMap default/empty"],
  );
});

test("what users changed of what the operator made is changed again, and only that", () => {
  const made = { ...configMap("ours", ["operator", "user"]), data: { a: "theirs", b: "ours" } };
  const operations = finalOperations({ objects: [made, configMap("theirs", ["user"])], overwritten: none }, [ConfigMap], new Set(["ours"]));
  assert.deepEqual(
    operations.map(({ text }) => text),
    ["create ConfigMap default/theirs {}", 'patch ConfigMap default/ours {"data":{"a":"theirs"}}'],
  );
});

test("what a user has deleted and holds back is made, held back and deleted again; what nobody holds back is gone", () => {
  const fields = { "f:metadata": { "f:finalizers": { 'v:"example.com/hold"': {} } } };
  const managedFields = [{ manager: "user", operation: "Update" as const, fieldsType: "FieldsV1" as const, fieldsV1: fields }];
  const going = (name: string, finalizers: readonly string[]): DynamicObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", uid: name, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers, managedFields },
  });
  const objects = [going("held", ["example.com/hold"]), going("gone", ["example.com/own"])];
  const operations = finalOperations({ objects, overwritten: none }, [ConfigMap], new Set());
  assert.deepEqual(
    operations.map(({ text }) => text),
    ['create ConfigMap default/held {"metadata":{"finalizers":["example.com/hold"]}}', "delete ConfigMap default/held"],
  );
});

test("what the operator has written over is made as users wrote it, unless they have written it again", () => {
  const object = { ...configMap("theirs", ["user"]), data: { a: "theirs again", b: "ours" } };
  const overwritten = new Map([["theirs", { data: { a: "theirs once", b: "theirs" } }]]);
  const operations = finalOperations({ objects: [object], overwritten }, [ConfigMap], new Set());
  assert.deepEqual(
    operations.map(({ text }) => text),
    ['create ConfigMap default/theirs {"data":{"a":"theirs again","b":"theirs"}}'],
  );
});
