import assert from "node:assert/strict";
import { test } from "node:test";
import { seen } from "../testing/seen-objects.ts";
import { VersionTexts } from "./version-texts.ts";

test("[DB8] the version that changed longest ago is forgotten first, and the sizes add up", () => {
  const { object } = seen("x");
  const length = JSON.stringify(object).length;
  const texts = new VersionTexts(2 * length);
  for (const uid of ["a", "b", "a", "c"]) texts.set(uid, object);
  assert.deepEqual(
    ["a", "b", "c"].map((uid) => texts.get(uid) !== undefined),
    [true, false, true],
  );
  assert.equal(texts.size, 2 * length);
  texts.delete("a");
  texts.delete("a");
  assert.equal(texts.size, length);
});

test("an object that is larger than all there is room for is not kept", () => {
  const texts = new VersionTexts(10);
  texts.set("a", seen("a").object);
  assert.deepEqual([texts.get("a"), texts.size], [undefined, 0]);
});
