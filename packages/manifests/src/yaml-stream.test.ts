import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse, parseAllDocuments } from "yaml";
import { yamlDocument, yamlStream } from "./yaml-stream.ts";

test("the type comes first, the rest in its own order", () => {
  assert.equal(
    yamlDocument({ metadata: { name: "a" }, kind: "Bar", apiVersion: "v1" }),
    "apiVersion: v1\nkind: Bar\nmetadata:\n  name: a\n",
  );
});

test("strings that YAML 1.1 would take for something else are quoted", () => {
  assert.equal(
    yamlDocument({ a: "no", b: "0777", c: "1e3", d: "~", e: "on", f: "2026-01-01" }),
    'a: "no"\nb: "0777"\nc: "1e3"\nd: "~"\ne: "on"\nf: "2026-01-01"\n',
  );
});

test("strings that Kubernetes' reader alone takes for something else are quoted", () => {
  assert.equal(
    yamlDocument({ a: "0o644", b: "-0XFF", c: "+0B1", d: "\n\t- x\n- y\n", e: "one\u2028two\u0085" }),
    'a: "0o644"\nb: "-0XFF"\nc: "+0B1"\nd: "\\n\\t- x\\n- y\\n"\ne: "one\\u2028two\\u0085"\n',
  );
});

test("whatever is written is read again as it was, by readers of either YAML", () => {
  const anything = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(anything, (generated) => {
      const expected = JSON.parse(JSON.stringify(generated)); // JSON has no -0.
      const text = yamlDocument(expected);
      assert.deepEqual(parse(text, { version: "1.1", merge: false }), expected);
      assert.deepEqual(parse(text, { version: "1.2" }), expected);
    }),
  );
});

test("objects are a stream of documents", () => {
  const documents = parseAllDocuments(yamlStream([{ a: 1 }, { b: 2 }]));
  assert.deepEqual(
    documents.map((document): unknown => document.toJS()),
    [{ a: 1 }, { b: 2 }],
  );
});
