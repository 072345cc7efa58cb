import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import type { ManagedFieldsEntry } from "@kaji/core";
import { managedFieldsAfterScale, scaleManagedFields } from "./scale-fields.ts";

/** What the real scale handler makes of managed fields; see tools/vectors/apply. */
interface ScaleVector {
  readonly name: string;
  readonly entries: readonly ManagedFieldsEntry[];
  readonly scaleEntries: readonly ManagedFieldsEntry[];
  readonly shown: readonly ManagedFieldsEntry[] | null;
  readonly after: readonly ManagedFieldsEntry[] | null;
}

const { scales }: { scales: readonly ScaleVector[] } = JSON.parse(
  readFileSync(new URL("../../testdata/apply.json", import.meta.url), "utf8"),
);

const paths = new Map<string, readonly string[] | undefined>([
  ["apps/v1", ["spec", "replicas"]],
  ["apps/v1beta1", undefined],
  ["apps/v2", ["spec", "scale", "count"]],
]);

suite("[SSA30] the ownership of replicas goes over to the Scale and back, as on the real server", () => {
  for (const { name, entries, scaleEntries, shown, after } of scales) {
    test(name, () => {
      assert.deepEqual(scaleManagedFields(entries, paths), shown ?? []);
      assert.deepEqual(managedFieldsAfterScale({ entries, scaleEntries, apiVersion: "apps/v1", paths }), after ?? []);
    });
  }
});

test("[SSA30] an updater gets its replicas back in an entry of their own", () => {
  const untimed: ManagedFieldsEntry = { manager: "m", operation: "Update", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1: {} };
  const entry = { ...untimed, time: "2020-01-01T00:00:00Z", fieldsV1: { "f:spec": { "f:paused": {}, "f:replicas": {} } } };
  const scaleEntries = scaleManagedFields([entry], paths);
  assert.deepEqual(managedFieldsAfterScale({ entries: [entry], scaleEntries, apiVersion: "apps/v1", paths }), [
    { ...untimed, fieldsV1: { "f:spec": { "f:replicas": {} } } },
    { ...entry, fieldsV1: { "f:spec": { "f:paused": {} } } },
  ]);
});
