import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { stringifyJson } from "../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.ts";
import { PatchError } from "./patch-error.ts";
import { applyStrategicMergePatch, createThreeWayMergePatch, createTwoWayMergePatch } from "./strategic-merge-patch.ts";
import type { PatchField, PatchSchema } from "./strategic-merge/patch-schema.ts";
import { structuralEqual } from "../json/structural-equal.ts";

const item: PatchSchema = struct("Item", {
  name: { type: "string" },
  value: { type: "string" },
  labels: { type: "map" },
  tags: { type: "string", list: true, strategy: "merge" },
  args: { type: "string", list: true },
  children: {
    get type() {
      return item;
    },
    list: true,
    strategy: "merge",
    mergeKey: "name",
  },
  unions: {
    get type() {
      return item;
    },
    list: true,
    strategy: "merge",
    retainKeys: true,
    mergeKey: "name",
  },
  union: {
    get type() {
      return item;
    },
    retainKeys: true,
  },
  exchanged: {
    get type() {
      return item;
    },
    strategy: "replace",
  },
});

describe("applyStrategicMergePatch", () => {
  test("[PATCH2] copies only what is on the way of the patch", () => {
    const object = {
      children: [
        { name: "a", value: "1" },
        { name: "b", labels: { x: "y" } },
      ],
      labels: { a: "b" },
      union: { value: "z" },
    };
    const result = applyStrategicMergePatch(object, { children: [{ name: "a", value: "2" }] }, item);
    assert.deepEqual(result["children"], [{ name: "a", value: "2" }, object.children[1]]);
    assert.equal((result["children"] as JsonArray)[1], object.children[1]);
    assert.equal(result["labels"], object.labels);
    assert.equal(result["union"], object.union);
    assert.equal(object.children[0]?.value, "1");
  });

  test("[PATCH2] returns the object itself when nothing changes", () => {
    const object = { children: [{ name: "a", tags: ["x", "y"] }, { name: "b" }], labels: { a: "b" } };
    const patch = {
      children: [{ name: "a", tags: ["x"] }],
      "$setElementOrder/children": [{ name: "a" }, { name: "b" }],
      labels: { a: "b", c: null },
    };
    assert.equal(applyStrategicMergePatch(object, patch, item), object);
  });

  test("[PATCH9] follows $patch before $retainKeys before the rest", () => {
    const object = { value: "1", union: { name: "a", value: "b", tags: ["x", "y"] } };
    const replaced = applyStrategicMergePatch(object, { union: { $patch: "replace", $retainKeys: [], value: null } }, item);
    assert.deepEqual(replaced, { value: "1", union: { $retainKeys: [], value: null } });
    const retained = { $retainKeys: ["tags"], "$setElementOrder/tags": ["y", "x"], "$deleteFromPrimitiveList/tags": ["x"] };
    assert.deepEqual(applyStrategicMergePatch(object, { union: retained }, item), { value: "1", union: { tags: ["y"] } });
  });

  test("[PATCH9] takes what is new without nulls and directives, but a new element as it is", () => {
    const brought = [
      { name: "a", value: null },
      { name: "b", $patch: "delete" },
    ];
    assert.deepEqual(applyStrategicMergePatch({}, { children: brought }, item), { children: [{ name: "a" }] });
    const extended = applyStrategicMergePatch({ children: [{ name: "z" }] }, { children: [{ name: "a", value: null }] }, item);
    assert.deepEqual(extended, { children: [{ name: "a", value: null }, { name: "z" }] });
  });

  test("[PATCH10] orders a list as the patch wants, and leaves what others added where it was", () => {
    const names = (list: string): JsonArray => Array.from(list, (name) => ({ name }));
    const object = { children: names("apbqc") };
    const ordered = applyStrategicMergePatch(object, { "$setElementOrder/children": names("abc") }, item);
    assert.equal(ordered, object);
    const reversed = applyStrategicMergePatch(object, { "$setElementOrder/children": names("cba") }, item);
    assert.deepEqual(reversed, { children: names("pqcba") });
    const unordered = applyStrategicMergePatch(object, { children: names("cn") }, item);
    assert.deepEqual(unordered, { children: names("apbqcn") });
  });

  test("[PATCH14] never fails but with a PatchError, and never changes its inputs", () => {
    fc.assert(
      fc.property(mess, mess, (object, patch) => {
        const before = stringifyJson([object, patch]);
        try {
          applyStrategicMergePatch(object, patch, item);
        } catch (error) {
          if (!(error instanceof PatchError)) throw error;
        }
        assert.equal(stringifyJson([object, patch]), before);
      }),
      { seed: 36, numRuns: 1000 },
    );
  });

  test("[PATCH13] names the answer of the server", () => {
    const object = { tags: ["a"], union: { value: "x" }, children: [["x"]] };
    assert.equal(reasonOf(object, { union: { $retainKeys: ["name"], value: "y" } }), "BadRequest");
    assert.equal(reasonOf(object, { $deleteFromPrimitiveList: ["y"] }), "BadRequest");
    assert.equal(reasonOf(object, { children: [["y"]] }), "Invalid");
    assert.equal(reasonOf(object, { union: { $patch: "merge" } }), "");
  });
});

describe("createTwoWayMergePatch", () => {
  test("[PATCH11] makes the patch that turns one object into the other", () => {
    fc.assert(
      fc.property(items, items, (from, to) => {
        const before = stringifyJson([from, to]);
        const patch = createTwoWayMergePatch(from, to, item);
        const result = applyStrategicMergePatch(from, patch, item);
        assert.ok(structuralEqual(result, to), stringifyJson({ patch, result }));
        assert.ok(structuralEqual(applyStrategicMergePatch(result, patch, item), to), "applied again, it changed something");
        assert.equal(stringifyJson([from, to]), before);
      }),
      { seed: 36, numRuns: 500 },
    );
  });

  test("[PATCH11] is empty for equal objects, but for fields that are replaced as a whole", () => {
    const plain = objects({});
    fc.assert(
      fc.property(plain, (object) => assert.deepEqual(createTwoWayMergePatch(object, { ...object }, item), {})),
      { seed: 36, numRuns: 100 },
    );
    const exchanged = { exchanged: { value: "a" } };
    assert.deepEqual(createTwoWayMergePatch(exchanged, exchanged, item), exchanged);
  });
});

describe("createThreeWayMergePatch", () => {
  test("[PATCH12] is the two-way patch when the server has what was applied last", () => {
    fc.assert(
      fc.property(items, items, (original, modified) => {
        const patch = createThreeWayMergePatch({ original, modified, current: original }, item);
        const result = applyStrategicMergePatch(original, patch, item);
        assert.ok(structuralEqual(result, modified), stringifyJson({ patch, result }));
      }),
      { seed: 36, numRuns: 500 },
    );
  });

  test("[PATCH12] deletes what the user no longer wants and keeps what others added", () => {
    const original = { labels: { mine: "1", old: "1" }, children: [{ name: "a" }, { name: "b" }] };
    const modified = { labels: { mine: "2" }, children: [{ name: "b", value: "x" }] };
    const current = { labels: { mine: "1", old: "1", theirs: "1" }, children: [{ name: "a" }, { name: "b" }, { name: "theirs" }] };
    const patch = createThreeWayMergePatch({ original, modified, current }, item);
    assert.deepEqual(applyStrategicMergePatch(current, patch, item), {
      labels: { mine: "2", theirs: "1" },
      children: [{ name: "b", value: "x" }, { name: "theirs" }],
    });
  });

  test("[PATCH12] overwrites what others changed, unless that shall be a conflict", () => {
    const states = { original: { value: "1" }, modified: { value: "2" }, current: { value: "3" } };
    assert.deepEqual(createThreeWayMergePatch(states, item), { value: "2" });
    assert.throws(() => createThreeWayMergePatch(states, item, { overwrite: false }), {
      name: "PatchError",
      reason: "Conflict",
      message: 'patch:\n{\n  "value": "2"\n}\nconflicts with changes made from original to current:\n{\n  "value": "3"\n}\n',
    });
  });
});

function struct(name: string, fields: Readonly<Record<string, PatchField>>): PatchSchema {
  return { name, field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined) };
}

function reasonOf(object: JsonObject, patch: JsonObject): string | undefined {
  try {
    applyStrategicMergePatch(object, patch, item);
  } catch (error) {
    if (error instanceof PatchError) return error.reason;
  }
  return undefined;
}

const letters = fc.constantFrom("a", "b", "c", "d", "e");
// Kubernetes does not see that a set is ordered anew, so sets are sorted here.
const sets = fc.uniqueArray(letters).map((list) => list.toSorted());
const items = objects({ exchanged: fc.record({ value: letters }) });

/** Objects as the schema wants them: keys are unique, and there are no nulls. */
function objects(more: Readonly<Record<string, fc.Arbitrary<JsonValue>>>): fc.Arbitrary<JsonObject> {
  const { object } = fc.letrec<{ object: JsonObject; list: JsonArray }>((tie) => ({
    object: fc.record<Record<string, JsonValue>>(
      {
        value: letters,
        labels: fc.dictionary(fc.constantFrom("a", "b", "constructor"), letters, { maxKeys: 3 }),
        tags: sets,
        args: fc.array(letters, { maxLength: 3 }),
        children: tie("list"),
        unions: tie("list"),
        union: fc.oneof({ maxDepth: 1 }, fc.constant({}), tie("object")),
        ...more,
      },
      { requiredKeys: [] },
    ),
    list: fc.oneof(
      { maxDepth: 1 },
      fc.constant([]),
      fc
        .uniqueArray(fc.tuple(letters, tie("object")), { selector: ([name]) => name, maxLength: 4 })
        .map((pairs) => pairs.map(([name, element]) => ({ ...element, name }))),
    ),
  }));
  return object;
}

/** Anything under names that mean something. */
const { mess } = fc.letrec<{ mess: JsonObject; value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, 1, "a", "delete", "replace", "merge", true),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("mess"),
  ),
  mess: fc.dictionary(
    fc.constantFrom(
      ...["name", "value", "labels", "tags", "args", "children", "unions", "union", "exchanged", "unknown", "__proto__", "toString"],
      ...["$patch", "$retainKeys", "$setElementOrder/children", "$setElementOrder/tags", "$deleteFromPrimitiveList/tags"],
    ),
    tie("value"),
    { maxKeys: 5 },
  ),
}));
