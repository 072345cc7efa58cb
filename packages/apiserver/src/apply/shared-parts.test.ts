import assert from "node:assert/strict";
import { test } from "node:test";
import { objectOf } from "@kaji/core";
import fc from "fast-check";
import { withSharedParts } from "./shared-parts.ts";

test("sharing parts with the live object changes nothing that an object says, and shares all that has not changed", () => {
  const parts = fc.dictionary(fc.constantFrom("spec", "status", "data", "__proto__"), fc.jsonValue());
  fc.assert(
    fc.property(parts, parts, (before, changes) => {
      const live = objectOf({ apiVersion: "v1", kind: "Thing", metadata: { name: "a" }, ...before });
      const next = objectOf({ ...structuredClone(live), ...changes });
      const shared = withSharedParts(next, live);
      assert.deepEqual(shared, next);
      assert.equal(shared.metadata, live.metadata);
    }),
  );
});

test("an object that is new shares nothing", () => {
  const next = objectOf({ apiVersion: "v1", kind: "Thing", metadata: { name: "a" } });
  assert.equal(withSharedParts(next, undefined), next);
});
