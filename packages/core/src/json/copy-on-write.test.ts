import assert from "node:assert/strict";
import { test } from "node:test";

import { ObjectDraft, mapArray, mapFields, shareArray } from "./copy-on-write.ts";
import { parseJson } from "./json.ts";
import type { JsonObject } from "./json.ts";

test("[PATCH2] a draft is the original until something differs", () => {
  const original = Object.freeze({ a: 1, b: { c: 2 } });
  const draft = new ObjectDraft(original);
  draft.set("a", 1);
  draft.set("b", original.b);
  draft.delete("none");
  assert.equal(draft.finish(), original);

  draft.set("a", 2);
  draft.delete("b");
  assert.deepEqual(draft.finish(), { a: 2 });
  assert.deepEqual(draft.keys(), ["a"]);
  assert.deepEqual(original, { a: 1, b: { c: 2 } });
});

test("[PATCH3] keys of the prototype are fields like others", () => {
  const draft = new ObjectDraft({});
  assert.equal(draft.get("toString"), undefined);
  assert.equal(draft.get("__proto__"), undefined);
  draft.set("__proto__", { polluted: true });
  draft.set("constructor", 1);
  assert.deepEqual(draft.keys(), ["__proto__", "constructor"]);
  assert.deepEqual(draft.get("__proto__"), { polluted: true });
  assert.equal(Object.getPrototypeOf(draft.finish()), Object.prototype);

  const copy = new ObjectDraft(parseJson('{"__proto__":{"a":1},"b":2}') as JsonObject);
  copy.set("b", 3);
  assert.deepEqual(copy.get("__proto__"), { a: 1 });
  copy.delete("__proto__");
  assert.deepEqual(copy.finish(), { b: 3 });
});

test("[PATCH2] maps over fields and items share what does not differ", () => {
  const object = { a: 1, b: null };
  assert.equal(
    mapFields(object, (value) => value),
    object,
  );
  assert.deepEqual(
    mapFields(object, (value) => value ?? undefined),
    { a: 1 },
  );
  const array = [1, null];
  assert.equal(
    mapArray(array, (value) => value),
    array,
  );
  assert.deepEqual(
    mapArray(array, (value) => value ?? undefined),
    [1],
  );
  assert.equal(shareArray(array, [1, null]), array);
  assert.deepEqual(shareArray(array, [null, 1]), [null, 1]);
});
