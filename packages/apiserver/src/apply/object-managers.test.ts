import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject, ManagedFieldsEntry } from "@kaji/core";
import { withoutTimeChange } from "./object-managers.ts";

const entry: ManagedFieldsEntry = {
  manager: "m",
  operation: "Apply",
  apiVersion: "v1",
  time: "2020-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { "f:a": {} } },
};
const later = { ...entry, time: "2021-01-01T00:00:00Z" };

test("[SSA32] a write that changes nothing but times is none", () => {
  const old = objectWith([entry]);
  assert.deepEqual(withoutTimeChange(old, objectWith([later])), old);
});

test("[SSA32] a write that changes anything else tells the time", () => {
  const next = objectWith([later]);
  for (const old of [
    objectWith([entry], { a: "2" }),
    objectWith([{ ...entry, fieldsV1: { "f:data": { "f:b": {} } } }]),
    objectWith([{ ...entry, manager: "other" }]),
    objectWith([entry, { ...entry, manager: "other" }]),
    objectWith([]),
  ]) {
    assert.equal(withoutTimeChange(old, next), next);
  }
  const same = objectWith([entry]);
  assert.equal(withoutTimeChange(objectWith([entry], { a: "2" }), same), same);
});

function objectWith(managedFields: readonly ManagedFieldsEntry[], data = { a: "1" }): DynamicObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", managedFields }, data };
}
