import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldDifferences } from "@kaji/core";
import type { JsonObject, ManagedFieldsEntry } from "@kaji/core";
import { lastManagers, managerOf, touchedManagers } from "./field-manager.ts";

const entry = (manager: string, fieldsV1: Readonly<Record<string, unknown>>, time = "2026-01-01T00:00:00Z"): ManagedFieldsEntry => ({
  manager,
  time,
  fieldsV1,
});

interface Written {
  readonly object: JsonObject;
  readonly managed: readonly ManagedFieldsEntry[];
}

function managers(before: Written, after: Written): readonly (string | undefined)[] {
  const managed = { before: before.managed, after: after.managed };
  return fieldDifferences(before.object, after.object).map((difference) => managerOf(difference, managed));
}

test("[DB11] a field is changed by the manager that has it", () => {
  const managed = [entry("kubectl", { "f:spec": { "f:a": {} } }), entry("operator", { "f:spec": { "f:b": {} } })];
  assert.deepEqual(managers({ object: { spec: { a: 1, b: 1 } }, managed }, { object: { spec: { a: 2, b: 2 } }, managed }), [
    "kubectl",
    "operator",
  ]);
});

test("of several that have it, by the one whose entry changed too", () => {
  const old = [entry("a", { "f:spec": { "f:x": {} } }, "2026-01-01T00:00:09Z"), entry("b", { "f:spec": { "f:x": {} } })];
  const present = [...old.slice(0, 1), entry("b", { "f:spec": { "f:x": {} } }, "2026-01-01T00:00:05Z")];
  assert.deepEqual(managers({ object: { spec: { x: 1 } }, managed: old }, { object: { spec: { x: 2 } }, managed: present }), ["b"]);
});

test("an item of a list is had by its keys, and what is owned as a whole by whoever owns the whole", () => {
  const managed = [
    entry("kubelet", { "f:status": { "f:conditions": { 'k:{"type":"Ready"}': { "f:status": {} } } } }),
    entry("operator", { "f:spec": { "f:args": {} } }),
  ];
  const object = (status: string, arg: string): JsonObject => ({
    spec: { args: [arg] },
    status: { conditions: [{ type: "Ready", status }] },
  });
  assert.deepEqual(managers({ object: object("False", "a"), managed }, { object: object("True", "b"), managed }), ["operator", "kubelet"]);
});

test("whoever has what is around a field comes after whoever has the field itself", () => {
  const before = [entry("creator", { "f:spec": { ".": {}, "f:x": {} } })];
  const after = [entry("creator", { "f:spec": {} }), entry("writer", { "f:spec": { "f:x": {} } })];
  assert.deepEqual(managers({ object: { spec: { x: 1 } }, managed: before }, { object: { spec: { x: 2 } }, managed: after }), ["writer"]);
});

test("what is gone was taken away by whoever wrote, or else belonged to the one that had it", () => {
  const had = entry("a", { "f:spec": { "f:x": {} } });
  const wrote = entry("b", { "f:spec": {} });
  assert.deepEqual(managers({ object: { spec: { x: 1 } }, managed: [had] }, { object: { spec: {} }, managed: [wrote] }), ["b"]);
  assert.deepEqual(managers({ object: { spec: { x: 1 } }, managed: [had] }, { object: { spec: {} }, managed: [] }), ["a"]);
  assert.deepEqual(managers({ object: { spec: { x: 1 } }, managed: [] }, { object: { spec: { x: 2 } }, managed: [] }), [undefined]);
});

test("who wrote is told even where no field changed, with the subresource", () => {
  const status = { ...entry("kubelet", {}, "2026-01-01T00:00:05Z"), subresource: "status" };
  assert.deepEqual(touchedManagers({ before: [entry("a", {})], after: [entry("a", {}), status] }), ["kubelet (status)"]);
  assert.deepEqual(lastManagers({ before: [], after: [entry("a", {}), status] }), ["kubelet (status)"]);
});

test("entries that make no sense have no fields", () => {
  const managed = [entry("a", { "f:list": { "k:not json": {}, "k:1": {} } }), { manager: "b" }];
  const object = (value: number): JsonObject => ({ list: [{ name: "x", value }] });
  assert.deepEqual(managers({ object: object(1), managed }, { object: object(2), managed }), [undefined]);
});
