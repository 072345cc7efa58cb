import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { parseJson, stringifyJson } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";
import { withoutNullFields } from "./null-fields.ts";
import { structuralEqual } from "../json/structural-equal.ts";
import { createThreeWayJsonMergePatch } from "./three-way-json-merge-patch.ts";

test("[PATCH2] a merge patch copies only the objects on its way", () => {
  const document = { spec: { template: { image: "a" }, list: [{}] }, status: { ready: true } };
  const result = applyMergePatch(document, { spec: { template: { image: "b" } } });
  assert.deepEqual(result, { spec: { template: { image: "b" }, list: [{}] }, status: { ready: true } });
  assert.equal(result["status"], document.status);
  assert.equal((result["spec"] as JsonObject)["list"], document.spec.list);
  assert.equal(applyMergePatch(document, { spec: { template: { image: "a" }, none: null } }), document);
});

test("[PATCH8] the merge patch made from two objects turns one into the other, unless that has nulls", () => {
  fc.assert(
    fc.property(objects, objects.map(nullFree), (from, to) => {
      const before = stringifyJson([from, to]);
      const patch = createMergePatch(from, to);
      const result = applyMergePatch(from, patch);
      assert.ok(structuralEqual(result, to), stringifyJson({ patch, result }));
      assert.equal(stringifyJson([from, to]), before);
    }),
    { seed: 7386, numRuns: 500 },
  );
});

test("[PATCH8] a merge patch applied again changes nothing", () => {
  fc.assert(
    fc.property(objects, objects, (document, patch) => {
      const before = stringifyJson([document, patch]);
      const once = applyMergePatch(document, patch);
      assert.ok(structuralEqual(applyMergePatch(once, patch), once));
      assert.equal(stringifyJson([document, patch]), before);
    }),
    { seed: 7386, numRuns: 500 },
  );
});

test("[PATCH3] keys of the prototype are fields in merge patches", () => {
  const document = parseJson('{"__proto__":{"a":1}}') as JsonObject;
  const patch = parseJson('{"__proto__":{"b":2},"constructor":{"prototype":{"polluted":true}},"toString":null}') as JsonObject;
  const result = applyMergePatch(document, patch);
  assert.equal(stringifyJson(result), '{"__proto__":{"a":1,"b":2},"constructor":{"prototype":{"polluted":true}}}');
  assert.equal(stringifyJson(createMergePatch({}, document)), '{"__proto__":{"a":1}}');
  assert.equal(Object.hasOwn({}.constructor.prototype, "polluted"), false);
});

test("[PATCH12] a three-way merge patch makes the wanted state so, and leaves what others added", () => {
  fc.assert(
    fc.property(objects, objects.map(nullFree), objects, (original, modified, current) => {
      const patch = createThreeWayJsonMergePatch({ original, modified, current });
      const result = applyMergePatch(current, patch);
      // Whatever the user wants is there: setting it again changes nothing.
      assert.ok(structuralEqual(applyMergePatch(result, modified), result), stringifyJson({ patch, result }));
      for (const key of Object.keys(original)) {
        if (!Object.hasOwn(modified, key)) assert.ok(!Object.hasOwn(result, key), `${key} stayed`);
      }
      for (const key of Object.keys(current)) {
        if (!Object.hasOwn(original, key) && !Object.hasOwn(modified, key)) assert.equal(result[key], current[key]);
      }
    }),
    { seed: 7386, numRuns: 500 },
  );
});

const keys = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
const leaves = fc.constantFrom<JsonValue>(null, 1, 2, "x", [], [1, { a: 1 }], 9007199254740993n);
const { objects } = fc.letrec<{ objects: JsonObject; value: JsonValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaves, tie("objects")),
  objects: fc.array(fc.tuple(keys, tie("value")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs) as JsonObject),
}));

function nullFree(object: JsonObject): JsonObject {
  return withoutNullFields(object) as JsonObject;
}
