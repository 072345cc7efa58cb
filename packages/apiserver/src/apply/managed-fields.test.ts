import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ManagedFieldsEntry } from "@kaji/core";
import { decodeManagers, encodeManagers, isReset, managerKey } from "./managed-fields.ts";

const entry: ManagedFieldsEntry = { manager: "m", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:a": {} } };

test("[SSA13] updaters are told apart by version and subresource, appliers by subresource alone", () => {
  const id = { manager: "m", apiVersion: "v1", subresource: "" };
  const key = managerKey({ ...id, operation: "Update" });
  assert.notEqual(key, managerKey({ ...id, operation: "Apply" }));
  assert.notEqual(key, managerKey({ ...id, operation: "Update", apiVersion: "v2" }));
  assert.notEqual(key, managerKey({ ...id, operation: "Update", subresource: "status" }));
  assert.equal(managerKey({ ...id, operation: "Apply" }), managerKey({ ...id, operation: "Apply", apiVersion: "v2" }));
  assert.notEqual(managerKey({ ...id, operation: "Apply" }), managerKey({ ...id, operation: "Apply", subresource: "status" }));
});

test("[SSA14] entries are sorted: appliers, then by second, manager, version, subresource; those that say the same are kept as they are", () => {
  const sorted: readonly ManagedFieldsEntry[] = [
    { ...entry, operation: "Apply", manager: "z" },
    { ...entry, operation: "Apply", manager: "a", time: "2020-01-01T00:00:00Z" },
    { ...entry, manager: "n" },
    { ...entry, manager: "z", time: "2020-01-01T01:00:00+02:00" },
    { ...entry, manager: "a", time: "2020-01-01T00:00:00Z" },
    { ...entry, manager: "b", time: "2020-01-01T00:00:00Z", apiVersion: "v1" },
    { ...entry, manager: "b", time: "2020-01-01T00:00:00Z", apiVersion: "v1", subresource: "status" },
    { ...entry, manager: "b", time: "2020-01-01T00:00:00Z", apiVersion: "v2" },
  ];
  const encoded = encodeManagers(decodeManagers(sorted.toReversed()));
  assert.deepEqual(encoded, sorted);
  for (const [index, each] of encoded.entries()) assert.equal(each, sorted[index]);
});

test("[SSA14] what was written is remembered as it would be read", () => {
  const written = encodeManagers(
    decodeManagers([
      { ...entry, manager: "b", time: "2020-01-01T00:00:00Z", fieldsV1: { "f:b": {}, "f:a": { "x:future": {} } } },
      { ...entry, operation: "Apply", subresource: "status" },
    ]),
  );
  const withoutEntries = (entries: readonly ManagedFieldsEntry[]): unknown =>
    [...decodeManagers(entries)].map(([key, { entry: _entry, fields, ...managed }]) => [key, { ...managed, fields: fields.encoded }]);
  assert.deepEqual(withoutEntries(written), withoutEntries(structuredClone(written)));
  for (const [index, managed] of [...decodeManagers(written).values()].entries()) assert.equal(managed.entry, written[index]);
});

test("[SSA2] entries that are not in canonical form are written anew", () => {
  const [encoded] = encodeManagers(decodeManagers([{ ...entry, fieldsV1: { "f:a": { ".": {} }, "x:future": {} } }]));
  assert.deepEqual(encoded, { ...entry, fieldsV1: { "f:a": {} } });
});

suite("[SSA17] entries that make no sense are refused", () => {
  const cases: ReadonlyArray<readonly [message: string, broken: object]> = [
    ["operation must be `Apply` or `Update`", { operation: "Patch" }],
    ["apiVersion must not be empty", { apiVersion: "" }],
    ["missing fieldsType in managed fields entry 1", { fieldsType: undefined }],
    ['invalid fieldsType "FieldsV2" in managed fields entry 1', { fieldsType: "FieldsV2" }],
    ["missing colon: field", { fieldsV1: { field: {} } }],
  ];
  for (const [message, broken] of cases) {
    test(message, () => assert.throws(() => decodeManagers([entry, { ...entry, ...broken }]), new TypeError(message)));
  }
});

test("[SSA17] an empty list, or one empty entry, asks to forget", () => {
  assert.deepEqual([[], [{}]].map(isReset), [true, true]);
  assert.deepEqual([undefined, [{}, {}], [entry]].map(isReset), [false, false, false]);
});
