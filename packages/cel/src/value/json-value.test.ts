import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonValue } from "@kaji/core";
import { dynType } from "../check/type.ts";
import { valueOf } from "../testing/evaluate.ts";
import { equal } from "./equality.ts";
import { jsonValue } from "./json-value.ts";

test("[CEL15] JSON is read as it is, whatever the names in it", () => {
  const object = JSON.parse('{"spec": {"__proto__": [1, 2.5, null, "x"], "constructor": {"a": true}}, "big": 1}') as JsonValue;
  const bindings = { object: jsonValue(object) };
  for (const text of [
    "object.spec['__proto__'][0] == 1 && type(object.spec['__proto__'][1]) == double",
    "object.spec['__proto__'][2] == null",
    "object.spec.constructor.a",
    "!has(object.spec.toString) && !('hasOwnProperty' in object)",
    "object.all(k, k in ['spec', 'big'])",
    "!(1 in object) && !(null in object.spec) && !object[?true].hasValue()",
  ]) {
    assert.equal(valueOf(text, bindings, { object: dynType }), true, text);
  }
});

test("[CEL10] JSON is equal to its copy", () => {
  fc.assert(fc.property(fc.jsonValue(), (json) => assert.equal(equal(jsonValue(json), jsonValue(structuredClone(json))), true)));
});
