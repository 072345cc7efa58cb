import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { createJsonPatch } from "./create-json-patch.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { parseJson, stringifyJson } from "../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.ts";
import { PatchError } from "./patch-error.ts";
import { structuralEqual } from "../json/structural-equal.ts";

test("[PATCH2] a JSON patch copies only the containers on its way", () => {
  const document = { spec: { containers: [{ name: "a" }, { name: "b" }], volumes: [1] }, status: { ready: true } };
  const result = applyJsonPatch(document, [{ op: "replace", path: "/spec/containers/1/name", value: "c" }]) as typeof document;
  assert.deepEqual(result.spec.containers, [{ name: "a" }, { name: "c" }]);
  assert.equal(result.status, document.status);
  assert.equal(result.spec.volumes, document.spec.volumes);
  assert.equal(result.spec.containers[0], document.spec.containers[0]);
  assert.equal(document.spec.containers[1]?.name, "b");
});

test("[PATCH2] a JSON patch that tests, or sets what is there, returns the document itself", () => {
  const document = { a: { b: "x" } };
  assert.equal(applyJsonPatch(document, [{ op: "test", path: "/a/b", value: "x" }]), document);
  assert.equal(applyJsonPatch(document, [{ op: "replace", path: "/a/b", value: "x" }]), document);
  assert.equal(applyJsonPatch(document, []), document);
  const list = [1, [2]];
  assert.equal(applyJsonPatch(list, [{ op: "replace", path: "/-1/0", value: 2 }]), list);
});

test("[PATCH2] what a JSON patch has changed once, it changes again in place, and no copy of it follows", () => {
  const first = { op: "add", path: "/spec/list/-", value: { n: 1 } };
  const document = { spec: { list: [{ n: 0 }] } };
  const steps = [
    first,
    { op: "copy", from: "/spec", path: "/copied" },
    { op: "replace", path: "/spec/list/1/n", value: 2 },
    { op: "remove", path: "/spec/list/0" },
    { op: "copy", from: "/spec/list/0", path: "/spec/list/-" },
    { op: "replace", path: "/spec/list/-1/n", value: 3 },
    { op: "move", from: "/copied/list", path: "/moved" },
    { op: "add", path: "/moved/0", value: 5 },
  ];
  const expected = { spec: { list: [{ n: 2 }, { n: 3 }] }, copied: {}, moved: [5, { n: 0 }, { n: 1 }] };
  assert.deepEqual(applyJsonPatch(document, steps), expected);
  assert.deepEqual([document, first.value], [{ spec: { list: [{ n: 0 }] } }, { n: 1 }]);
});

test("[PATCH2] ten thousand operations on an object of ten thousand fields do not copy it ten thousand times", () => {
  const object = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`old${index}`, ""]));
  const steps = Array.from({ length: 10_000 }, (_, index) => ({ op: "add", path: `/object/new${index}`, value: "" }));
  const before = process.cpuUsage();
  const { object: changed } = applyJsonPatch({ object }, steps) as { readonly object: JsonObject };
  const { user, system } = process.cpuUsage(before);
  assert.equal(Object.keys(changed).length, 20_000);
  assert.ok(user + system < 2_000_000, `took ${(user + system) / 1000} ms`);
});

test("[PATCH6] copies may add 3 MiB to a document, all together", () => {
  const document = { a: "x".repeat(1024 * 1024 - 2) };
  const copies = ["b", "c", "d", "e"].map((key) => ({ op: "copy", from: "/a", path: `/${key}` }));
  assert.equal(Object.keys(applyJsonPatch(document, copies.slice(0, 3)) as JsonObject).length, 4);
  assert.throws(() => applyJsonPatch(document, copies), {
    message: "Unable to complete the copy, the accumulated size increase of copy is 4194304, exceeding the limit 3145728",
  });
});

test("[PATCH13] what is no JSON patch is a bad request, what does not apply is invalid", () => {
  assert.equal(reasonOf({}), "BadRequest");
  assert.equal(reasonOf([true]), "BadRequest");
  assert.equal(reasonOf([{ op: "remove", path: "/none" }]), "Invalid");
  assert.equal(reasonOf([{ op: "none" }]), "Invalid");
});

test("[PATCH14] a JSON patch never fails but with a PatchError", () => {
  const key = fc.constantFrom("a", "b", "0", "1", "-1", "-", "__proto__", "constructor", "toString", "length", "~", "");
  const value = documents(key);
  const path = fc.oneof(
    fc.array(key, { maxLength: 3 }).map((keys) => keys.map((each) => `/${each}`).join("")),
    value as fc.Arbitrary<JsonValue>,
  );
  const op = fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "none");
  const operation = fc.record({ op, path, from: path, value }, { requiredKeys: ["op"] });
  fc.assert(
    fc.property(value, fc.array(operation, { maxLength: 4 }), (document, operations) => {
      const patch = parseJson(stringifyJson(operations));
      const before = stringifyJson([document, patch]);
      try {
        applyJsonPatch(document, patch);
      } catch (error) {
        if (!(error instanceof PatchError)) throw error;
      }
      assert.equal(stringifyJson([document, patch]), before);
      assert.equal(Object.keys(Object.prototype).length, 0);
    }),
    { seed: 6902, numRuns: 500 },
  );
});

test("[PATCH7] the patch made from two documents turns one into the other", () => {
  const key = fc.constantFrom("a", "b", "c", "a/b", "~", "0", "__proto__", "constructor", "");
  fc.assert(
    fc.property(documents(key), documents(key), (from, to) => {
      const patch = createJsonPatch(from, to);
      const result = applyJsonPatch(from, patch);
      assert.ok(structuralEqual(result, to), stringifyJson({ patch, result }));
    }),
    { seed: 6902, numRuns: 500 },
  );
});

test("[PATCH7] the patch made from two documents names what differs", () => {
  assert.deepEqual(createJsonPatch({ a: 1, b: [1, { c: 2 }, 3, 4] }, { b: [1, { c: 3 }, 4], "d/e": null }), [
    { op: "remove", path: "/a" },
    { op: "replace", path: "/b/1/c", value: 3 },
    { op: "remove", path: "/b/2" },
    { op: "add", path: "/d~1e", value: null },
  ]);
  assert.deepEqual(createJsonPatch([1, 4], [1, 2, 3, 4]), [
    { op: "add", path: "/1", value: 2 },
    { op: "add", path: "/2", value: 3 },
  ]);
  assert.deepEqual(createJsonPatch({ a: [1, [2]], b: 9007199254740993n }, { b: 9007199254740993n, a: [1, [2]] }), []);
  assert.deepEqual(createJsonPatch([], {}), [{ op: "replace", path: "", value: {} }]);
});

function reasonOf(patch: JsonValue): string | undefined {
  try {
    applyJsonPatch({}, patch);
  } catch (error) {
    if (error instanceof PatchError) return error.reason;
  }
  return undefined;
}

/** Small objects and arrays, so that two of them have much in common. */
function documents(key: fc.Arbitrary<string>): fc.Arbitrary<JsonArray | JsonObject> {
  const leaf = fc.constantFrom<JsonValue>(null, true, 1, 2, "x", 9007199254740993n, 9007199254740992n);
  const { value } = fc.letrec<{ value: JsonValue; container: JsonArray | JsonObject }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, tie("container")),
    container: fc.oneof(fc.array(tie("value"), { maxLength: 4 }), entries(key, tie("value"))),
  }));
  return fc.oneof(fc.array(value, { maxLength: 4 }), entries(key, value));
}

function entries(key: fc.Arbitrary<string>, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(key, value), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));
}
