import assert from "node:assert/strict";
import { test } from "node:test";
import { oneLine } from "./one-line.ts";

test("line ends become spaces, with the white space around them", () => {
  assert.equal(oneLine("cannot start:\n  no server\r\n\n\tat all\n"), "cannot start: no server at all");
  assert.equal(oneLine("two problems:\n  one\n  other", "; "), "two problems:; one; other");
  assert.equal(oneLine(" one  line "), " one  line ");
  assert.equal(oneLine(""), "");
});

test("long runs of spaces take no time", () => {
  const spaces = " ".repeat(300_000);
  const before = process.cpuUsage();
  assert.equal(oneLine(`${spaces}a${spaces}b\n`), `a${spaces}b`);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 1_000_000, `${user + system} µs`);
});
