import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStrictYaml } from "./strict-yaml.ts";

const read = (text: string): unknown => parseStrictYaml(`k: ${text}`).value;

test("dates, times of day and numbers that are too large are text, as values and as names", () => {
  for (const text of ["2024-01-01", "2024-01-01T00:00:00Z", "2024-01-01 00:00:00", "22:22", "190:20:30", "1:30.5", "1e400", "-1e400"]) {
    assert.deepEqual(read(text), { k: text });
  }
  assert.deepEqual(parseStrictYaml("2024-01-01: a\n22:22: b").value, { "2024-01-01": "a", "22:22": "b" });
});

test("numbers are read in all their forms", () => {
  assert.deepEqual(read("[0o17, -0o17, 017, 0x1F, 0b11, 1_000, 1.5, 1e3]"), { k: [15, -15, 15, 31, 3, 1000, 1.5, 1000] });
  for (const text of ["yes", "On", "true"]) assert.deepEqual(read(text), { k: true });
});

test("a binary is the text that is in it", () => {
  assert.deepEqual(read("!!binary aGVsbG8="), { k: "hello" });
});

test("a number that JSON does not have is refused", () => {
  for (const [text, shown] of Object.entries({ ".inf": "+Inf", "-.INF": "-Inf", ".nan": "NaN" })) {
    assert.throws(() => read(text), { message: `yaml: line 1: json: unsupported value: ${shown}` });
  }
});
