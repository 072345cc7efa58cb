import assert from "node:assert/strict";
import { test } from "node:test";
import { objectOf } from "@kaji/core";
import { RecentObjects } from "./recent-objects.ts";

const thing = objectOf({ apiVersion: "v1", kind: "Thing", metadata: { name: "a" } });

test("an object is known until it is replaced, or many others have been written after it", () => {
  const recent = new RecentObjects();
  recent.add(2, thing);
  recent.add(3, thing);
  recent.delete(2);
  assert.deepEqual([recent.get(2), recent.get(3)], [undefined, thing]);
  for (let revision = 4; revision < 1000; revision++) recent.add(revision, thing);
  const known = Array.from({ length: 1000 }, (_, revision) => revision).filter((revision) => recent.get(revision) !== undefined);
  assert.deepEqual([known.length, known[0], known.at(-1)], [64, 936, 999]);
});
