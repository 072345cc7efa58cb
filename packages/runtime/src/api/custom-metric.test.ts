import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { customMetric } from "./custom-metric.ts";

test("[API12] a metric cannot be of Namespaces", () => {
  const Namespace = resource<KubeObject>({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" });
  assert.throws(() => customMetric("sites", Namespace, { values: () => [] }), {
    message: "the metric sites cannot be of Namespaces, which are asked in another way: serve it as an external one",
  });
});
