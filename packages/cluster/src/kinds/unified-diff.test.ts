import assert from "node:assert/strict";
import { test } from "node:test";
import { unifiedDiff } from "./unified-diff.ts";

const lines = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

test("texts that are the same have no difference", () => {
  assert.equal(unifiedDiff("a\nb", "a\nb"), "");
});

test("a changed line is shown with three lines around it", () => {
  const before = lines(1, 9).join("\n");
  assert.equal(
    unifiedDiff(before, before.replace("line 5", "other")),
    ["@@ -2,7 +2,7 @@", " line 2", " line 3", " line 4", "-line 5", "+other", " line 6", " line 7", " line 8", ""].join("\n"),
  );
});

test("changes far from each other are shown apart, near ones together", () => {
  const before = lines(1, 30).join("\n");
  const far = unifiedDiff(before, before.replace("line 5\n", "").replace("line 25\n", ""));
  const near = unifiedDiff(before, before.replace("line 5\n", "").replace("line 10\n", ""));
  assert.deepEqual([far.match(/^@@/gm)?.length, near.match(/^@@/gm)?.length], [2, 1]);
});
