import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { IncomingObject } from "./incoming-object.ts";
import { storeAlone } from "../store/slab-store.ts";
import { plainParse } from "../testing/plain-parse.ts";
import { jsonObject, jsonText, stringText } from "../testing/arbitrary-json.ts";

const type = { group: "example.com", version: "v1", kind: "Widget" };
const literal = (text: string): fc.Arbitrary<string> => stringText(fc.constant(text));
const member = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(literal(name), value).map((pair) => pair.join(" : "));

/** Objects with every field that matters, in any order, among any others. */
const objectText = fc
  .tuple(
    fc.shuffledSubarray(["name", "namespace", "uid", "resourceVersion", "managedFields", "other"], { minLength: 6 }),
    fc.record({ name: literal("web-ü"), namespace: literal("shop"), uid: literal("1-2"), resourceVersion: literal("42"), any: jsonText() }),
    fc.shuffledSubarray(["metadata", "spec", "apiVersion", "kind", "data"]),
    jsonText(["metadata", "name"]),
  )
  .chain(([inner, { any, ...values }, outer, value]) => {
    const metadata = fc
      .tuple(...inner.map((name) => member(name, fc.constant(name in values ? values[name as keyof typeof values] : any))))
      .map((members) => `{ ${members.join(" ,\t")} }`);
    const names = outer.includes("metadata") ? outer : [...outer, "metadata"];
    const stated: Record<string, fc.Arbitrary<string>> = { metadata, apiVersion: literal("example.com/v1"), kind: literal("Widget") };
    return fc.tuple(...names.map((name) => member(name, stated[name] ?? fc.constant(value)))).map((members) => `{${members.join(",")}}`);
  });

test("[VIEW1] [SLAB1] what is kept is the object with its type and without what is cut, and says its identity", () => {
  fc.assert(
    fc.property(objectText, fc.boolean(), fc.boolean(), fc.subarray(["spec", "data"]), (text, managedFields, metadataOnly, omit) => {
      const incoming = new IncomingObject({ type, managedFields, metadataOnly, omit });
      incoming.scanner.scan(Buffer.from(`[${text}]`), 1);
      const state = storeAlone(incoming, plainParse());
      const { metadata, ...rest } = JSON.parse(text);
      if (!managedFields) delete metadata.managedFields;
      for (const field of omit) delete rest[field];
      assert.deepEqual(state.value, { apiVersion: "example.com/v1", kind: "Widget", metadata, ...(metadataOnly ? {} : rest) });
      assert.deepEqual([incoming.key, incoming.uid, incoming.resourceVersion], ["shop/web-ü", "1-2", "42"]);
      assert.deepEqual([state.uid, state.resourceVersion], ["1-2", "42"]);
      assert.deepEqual(state.metadata, metadata);
    }),
    { numRuns: 300 },
  );
});

test("[FRAME5] an object without a name is refused; without uid or version it has none", () => {
  const incoming = new IncomingObject({ type });
  incoming.scanner.scan(Buffer.from(JSON.stringify({ metadata: { namespace: "shop" } })), 0);
  assert.throws(() => incoming.key, /an object without metadata.name at offset 0/);
  assert.deepEqual([incoming.uid, incoming.resourceVersion], ["", ""]);
  incoming.scanner.scan(Buffer.from(jsonWithNumbers), 0);
  assert.deepEqual([incoming.uid, incoming.resourceVersion, storeAlone(incoming, plainParse()).resourceVersion], ["", "", ""]);
});

const jsonWithNumbers = '{"metadata":{"name":"a","uid":5,"resourceVersion":[1]}}';

test("[SCAN4] objects that name nothing of what is looked for are as good as any", () => {
  fc.assert(
    fc.property(jsonObject(literal("x"), jsonText()), (text) => {
      const incoming = new IncomingObject({ type });
      assert.equal(incoming.scanner.scan(Buffer.from(text), 0), Buffer.byteLength(text));
    }),
    { numRuns: 50 },
  );
});
