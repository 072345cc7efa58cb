import assert from "node:assert/strict";
import { test } from "node:test";
import { warnOnce } from "./warn-once.ts";
import { parseWarnings } from "./warning-header.ts";

test("[CL20] warnings are read from one header or several, with their quotes unescaped", () => {
  assert.deepEqual(parseWarnings(undefined), []);
  assert.deepEqual(parseWarnings('299 - "old"'), ["old"]);
  assert.deepEqual(parseWarnings('299 - "say \\"new\\"", 299 kube "two, three"'), ['say "new"', "two, three"]);
  assert.deepEqual(parseWarnings(['299 - "a"', '299 - "b" "Sun, 15 Nov 2026 04:48:06 GMT"']), ["a", "b"]);
});

test("[CL20] what is no warning of an API server is passed over", () => {
  for (const text of ["", "299", '110 proxy "stale"', '299 - "unfinished', "299 - unquoted"])
    assert.deepEqual(parseWarnings(text), [], text);
});

test("[CL21] each warning is told once, and memory of them is bounded", () => {
  const told: string[] = [];
  const listener = warnOnce((text) => told.push(text));
  const warn = (text: string): void => listener(text, { method: "GET", path: "/api" });
  warn("a");
  warn("a");
  warn("b");
  assert.deepEqual(told, ["a", "b"]);
  for (let index = 0; index < 1000; index++) warn(String(index));
  warn("a");
  assert.equal(told.filter((text) => text === "a").length, 2);
});
