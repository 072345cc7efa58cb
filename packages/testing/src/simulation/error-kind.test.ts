import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "@kaji/core";
import { errorKind } from "./error-kind.ts";

test("what JavaScript throws by itself is a bug, and what fetch says of a network that fails is none", () => {
  assert.equal(errorKind(new TypeError("Cannot read properties of undefined")), "Bug");
  assert.equal(errorKind(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:8080") })), "Other");
  assert.equal(errorKind(new Error("out of paint")), "Other");
  assert.equal(errorKind(refusal("Conflict", "changed meanwhile")), "Refusal");
});
