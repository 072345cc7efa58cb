import assert from "node:assert/strict";
import { test } from "node:test";
import { formatGoKind } from "./go-kind.ts";

test("a kind is printed with a slash also where there is no group", () => {
  assert.equal(formatGoKind({ group: "apps", version: "v1", kind: "Deployment" }), "apps/v1, Kind=Deployment");
  assert.equal(formatGoKind({ group: "", version: "v1", kind: "Pod" }), "/v1, Kind=Pod");
});
