import assert from "node:assert/strict";
import { test } from "node:test";
import { warningHeaders } from "./warning-header.ts";

test("[WARN1] each warning is said once, with quotes and backslashes escaped", () => {
  assert.deepEqual(warningHeaders(["a", 'say "b"', "a", "c\\d"]), ['299 - "a"', '299 - "say \\"b\\""', '299 - "c\\\\d"']);
});

test("[WARN2] what no header can carry is left out, and the rest goes as UTF-8", () => {
  assert.deepEqual(warningHeaders(["line\nbreak", "half \ud800", "ü"]), [`299 - "${Buffer.from("ü").toString("latin1")}"`]);
});

test("[WARN3] where there is too much to say, each warning is cut short", () => {
  const headers = warningHeaders(Array.from({ length: 30 }, (_, index) => String(index).padEnd(300, "x")));
  assert.equal(headers.length, 16);
  assert.ok(headers.every((header) => header.length === '299 - ""'.length + 256));
});
