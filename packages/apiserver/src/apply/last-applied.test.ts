import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { pathsOf } from "../testing/mixed-schema.ts";
import { lastAppliedFields, withLastApplied } from "./last-applied.ts";
import { deducedSchema } from "./merge-schema.ts";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

test("[SSA26] kubectl may take what it set and is still so", () => {
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "1", b: "2", c: "3" } };
  const live = configMap({ a: "1", b: "changed", d: "4" }, JSON.stringify(applied));
  assert.deepEqual(pathsOf(lastAppliedFields({ value: jsonOf(live), schema: deducedSchema })), [
    ".apiVersion",
    ".data",
    ".kind",
    ".metadata",
    ".data.a",
    ".metadata.name",
  ]);
});

test("[SSA26] an annotation that is missing, of another version or nonsense allows nothing", () => {
  for (const text of [undefined, "", "nonsense", "[]", '{"apiVersion":"v2","data":{"a":"1"}}']) {
    const live = configMap({ a: "1" }, text);
    assert.ok(lastAppliedFields({ value: jsonOf(live), schema: deducedSchema }).isEmpty, text);
  }
});

test("[SSA26] the annotation is kept up to date where there is one, and goes when it has become too large", () => {
  const applied = configMap({ b: "<2>", a: "1" }, "mine");
  assert.equal(withLastApplied(configMap({ a: "1" }), applied).metadata.annotations, undefined);
  const kept = withLastApplied(configMap({ a: "1" }, "old"), applied).metadata.annotations?.[annotation];
  const expected = String.raw`{"apiVersion":"v1","data":{"a":"1","b":"\u003c2\u003e"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"c"}}`;
  assert.equal(kept, `${expected}\n`);
  const large = withLastApplied(configMap({}, "old"), configMap({ a: "x".repeat(256 * 1024) }));
  assert.deepEqual(large.metadata.annotations, {});
});

function configMap(data: Readonly<Record<string, string>>, text?: string): DynamicObject {
  const annotations = text === undefined ? {} : { annotations: { [annotation]: text } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", ...annotations }, data };
}
