import assert from "node:assert/strict";
import { test } from "node:test";
import { joinMessages } from "./aggregate.ts";

test("one message is told as it is, several in brackets, each once", () => {
  assert.equal(joinMessages(["a", "a"]), "a");
  assert.equal(joinMessages(["b", "a", "b"]), "[b, a]");
  assert.equal(joinMessages([]), "");
});
