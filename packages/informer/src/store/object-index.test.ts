import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { fieldIndex } from "./object-index.ts";
import type { CheckedPath } from "./object-index.ts";
import { eachItem } from "../wire/scan-plan.ts";
import { Widget } from "../testing/widget.ts";

test("[IDX4] the path of an index is checked by the compiler", () => {
  assert.deepEqual(fieldIndex(Widget, "spec.size"), { type: "Field", path: ["spec", "size"] });
  assert.deepEqual(fieldIndex(Widget, "metadata.labels.app"), { type: "Field", path: ["metadata", "labels", "app"] });
  assert.deepEqual(fieldIndex(Widget, "spec.parts[].name"), { type: "Field", path: ["spec", "parts", eachItem, "name"] });
  // @ts-expect-error -- there is no such field
  fieldIndex(Widget, "spec.sise");
  const told: CheckedPath<Widget, "spec.sise"> = "spec.sise leads to no field; [] stands for each item of a list";
  assert.ok(told);
  // @ts-expect-error -- not a scalar
  fieldIndex(Widget, "spec.parts");
  // @ts-expect-error -- a list is not walked through without []
  fieldIndex(Widget, "spec.parts.name");
});

test("[IDX4] of a kind that is known only at run time any path is accepted", () => {
  const Dynamic = resource<DynamicObject>({ group: "", version: "v1", kind: "Any", plural: "anys", scope: "Cluster" });
  assert.deepEqual(fieldIndex(Dynamic, "spec.whatever[].x"), { type: "Field", path: ["spec", "whatever", eachItem, "x"] });
});
