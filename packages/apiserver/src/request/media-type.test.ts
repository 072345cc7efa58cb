import assert from "node:assert/strict";
import { test } from "node:test";
import { negotiate } from "@kaji/core/serving";

test("[LIST7] a quality that is no number is 1, and one of 0 is the least", () => {
  assert.equal(negotiate("application/yaml;q=0.5,application/json;q=x", []).encoding, "json");
  assert.equal(negotiate("application/yaml;q=0", []).encoding, "yaml");
  assert.equal(negotiate("application/yaml;q=0,application/json;q=0.1", []).encoding, "json");
  assert.throws(() => negotiate("text/html", []), { reason: "NotAcceptable" });
});
