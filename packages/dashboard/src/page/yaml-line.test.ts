import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { yamlParts } from "./yaml-line.ts";

const keyOf = (line: string): string | undefined => yamlParts(line).find(({ type }) => type === "Key")?.text;

test("a line is cut into its key and the rest", () => {
  assert.equal(keyOf("apiVersion: v1"), "apiVersion");
  assert.equal(keyOf("  - name: web"), "name");
  assert.equal(keyOf('    "a: b": c'), '"a: b"');
  assert.equal(keyOf("    example.com/a: c"), "example.com/a");
  assert.deepEqual([keyOf("  - plain"), keyOf("# comment: no"), keyOf("http://example.com")], [undefined, undefined, undefined]);
});

test("a line that is made to be hard to read is read at once", () => {
  for (const piece of ["-", "- ", '"', "\\", "a", "a:"]) assert.equal(yamlParts(piece.repeat(100_000)).length, 1);
});

test("nothing of a line is lost, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (line) => {
      const text = yamlParts(line).map((part) => part.text);
      assert.equal(text.join(""), line);
    }),
  );
});
