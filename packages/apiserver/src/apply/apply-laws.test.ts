import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isJsonArray, isJsonObject, jsonOf } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import fc from "fast-check";
import { customObjectSchema } from "./custom-object-schema.ts";
import { extractItems } from "./extract-items.ts";
import { FieldManager } from "./field-manager.ts";
import { decodeManagers } from "./managed-fields.ts";

const runs = { seed: 31, numRuns: 200 };

const apiVersion = "example.com/v1";
const { kinds } = JSON.parse(readFileSync(new URL("../../testdata/apply.json", import.meta.url), "utf8"));
const schema = customObjectSchema(kinds.Widget.openAPI[apiVersion]);
const fields = new FieldManager({ kind: "Widget", schemaAt: () => schema });

test("[SSA31] applying twice is applying once", () => {
  fc.assert(
    fc.property(anySpec(), anySpec(), (theirs, mine) => {
      const live = frozen(stored(update("other", theirs)));
      const once = frozen(apply("me", mine, live));
      assert.equal(apply("me", mine, once), once);
    }),
    runs,
  );
});

test("[SSA31] appliers who agree may come in any order", () => {
  fc.assert(
    fc.property(agreedSpec(), agreedSpec(), (left, right) => {
      const one = apply("b", right, stored(apply("a", left)));
      const other = apply("a", left, stored(apply("b", right)));
      assert.deepEqual(unordered(one["spec"]), unordered(other["spec"]));
      assert.deepEqual(ownership(one), ownership(other));
    }),
    runs,
  );
});

test("[SSA31] applying nothing removes what only this manager owned, and nothing else", () => {
  fc.assert(
    fc.property(agreedSpec(), agreedSpec(), (theirs, mine) => {
      const both = apply("me", mine, stored(apply("other", theirs)));
      const without = apply("me", undefined, both);
      assert.deepEqual(unordered(without["spec"]), unordered(theirs));
      assert.deepEqual([...ownership(without).keys()], ["other"]);
    }),
    runs,
  );
});

test("[SSA31] what was created by an update stays when appliers come and go", () => {
  fc.assert(
    fc.property(agreedSpec(), agreedSpec(), (theirs, mine) => {
      const both = apply("me", mine, stored(update("other", theirs)));
      assert.deepEqual(unordered(apply("me", undefined, both)["spec"]), unordered(theirs));
    }),
    runs,
  );
});

test("[SSA12] what an applier owns is what it applied", () => {
  fc.assert(
    fc.property(agreedSpec(), agreedSpec(), (theirs, mine) => {
      const object = apply("me", mine, stored(apply("other", theirs)));
      const owned = [...decodeManagers(object.metadata.managedFields).values()].find(({ manager }) => manager === "me");
      assert.ok(owned !== undefined);
      const extracted = extractItems(jsonOf(object), owned.fields, schema);
      assert.deepEqual(unordered(extracted), unordered({ spec: mine }));
    }),
    runs,
  );
});

test("[SSA13] an update that changes nothing changes no ownership", () => {
  fc.assert(
    fc.property(anySpec(), anySpec(), (before, after) => {
      const next = update("second", after, stored(update("first", before)));
      assert.deepEqual(ownership(update("third", after, stored(next))), ownership(next));
    }),
    runs,
  );
});

function apply(manager: string, spec: JsonValue | undefined, live?: DynamicObject): DynamicObject {
  return fields.apply({ patch: frozen(widget(spec)), manager, live, force: true, apiVersion, now: "2020-01-01T00:00:00Z" });
}

function update(manager: string, spec: JsonValue, live?: DynamicObject): DynamicObject {
  return fields.update({ next: frozen(widget(spec)), manager, live, apiVersion, now: "2020-01-01T00:00:00Z" });
}

function widget(spec: JsonValue | undefined): DynamicObject {
  return { apiVersion, kind: "Widget", metadata: { name: "w" }, ...(spec === undefined ? {} : { spec }) };
}

function stored(object: DynamicObject): DynamicObject {
  return { ...object, metadata: { ...object.metadata, uid: "u" } };
}

function ownership({ metadata }: DynamicObject): ReadonlyMap<string, unknown> {
  return new Map((metadata.managedFields ?? []).map(({ manager = "", fieldsV1 }) => [manager, fieldsV1]));
}

/** Each path always has the same value, so that whoever states it agrees with whoever else does. Nothing is empty. */
function agreedSpec(): fc.Arbitrary<JsonObject> {
  const settings = some({ k: "1", l: "2", m: "3" });
  const ports = someOf([{ port: 80, host: "h" }, { port: 80, protocol: "UDP" }, { port: 443 }]);
  const container = (name: string): fc.Arbitrary<JsonObject> =>
    fc
      .record({ image: fc.constant(`${name}:1`), env: settings, ports, args: fc.constant(["x", "x"]) }, { requiredKeys: [] })
      .map((rest) => ({ name, ...rest }));
  const pool = fc.record({ min: fc.constant(1), zones: someOf(["x", "y"]) }, { requiredKeys: ["min"] });
  const spec = fc.record(
    {
      size: fc.constant(3),
      nested: fc.record({ a: fc.constant("a"), deep: some({ b: "b", c: 1 }) }, { requiredKeys: ["deep"] }),
      point: fc.constant({ x: 1 }),
      settings,
      pools: fc.record({ p: pool, q: pool }, { requiredKeys: ["p"] }),
      tags: someOf(["a", "b", "c"]),
      codes: someOf([1, 2, 10]),
      steps: fc.constant(["one", "two"]),
      containers: fc.tuple(container("one"), container("two"), container("three")).chain(([a, b, c]) => someOf([a, b, c])),
      anything: some({ u: { deep: [1] }, v: "x" }),
    },
    { requiredKeys: ["size"] },
  );
  return spec;
}

function anySpec(): fc.Arbitrary<JsonObject> {
  const word = fc.constantFrom("x", "y");
  const settings = fc.dictionary(fc.constantFrom("k", "l", "__proto__"), word, { noNullPrototype: true });
  return fc.record(
    {
      size: fc.option(fc.nat(2)),
      nested: fc.option(fc.record({ a: word, deep: fc.record({ b: word }, { requiredKeys: [] }) }, { requiredKeys: [] })),
      point: fc.record({ x: fc.nat(2) }, { requiredKeys: [] }),
      settings: fc.option(settings),
      tags: fc.option(fc.uniqueArray(fc.constantFrom("a", "b", "c"))),
      steps: fc.array(word, { maxLength: 2 }),
      containers: fc.uniqueArray(
        fc.record({ name: fc.constantFrom("one", "two"), image: word, env: settings }, { requiredKeys: ["name"] }),
        { selector: ({ name }) => name },
      ),
      anything: fc.oneof(fc.nat(1), settings, fc.constant(null), fc.array(word, { maxLength: 1 })),
    },
    { requiredKeys: [] },
  );
}

function some(entries: Readonly<Record<string, JsonValue>>): fc.Arbitrary<JsonObject> {
  return fc.subarray(Object.entries(entries), { minLength: 1 }).map((kept) => Object.fromEntries(kept));
}

function someOf<T extends JsonValue>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: 1 });
}

/** Sorts what has no order of its own: fields, and items of lists. */
function unordered(value: unknown): unknown {
  const json = value as JsonValue;
  if (isJsonArray(json)) return json.map(unordered).toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [name, unordered(field)]),
  );
}

/** Freezes deeply, so that whoever changes an input fails. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}
