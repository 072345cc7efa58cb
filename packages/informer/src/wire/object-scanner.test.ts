import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ObjectScanner } from "./object-scanner.ts";
import { eachItem } from "./scan-plan.ts";
import type { ScanPath } from "./scan-plan.ts";
import { jsonObject, jsonText, stringText } from "../testing/arbitrary-json.ts";

const names = ["metadata", "name", "spec", "a", "é", "__proto__"];
const objectText = jsonObject(
  fc.oneof(...names.map((name) => stringText(fc.constant(name))), stringText(fc.string({ maxLength: 3 }))),
  jsonText(names),
);
const path: fc.Arbitrary<ScanPath> = fc.array(fc.oneof(fc.constantFrom(...names), fc.constant(eachItem)), { minLength: 1, maxLength: 3 });

test("[SCAN4] a field is found where JSON.parse would have it, and so are the fields of each item of a list", () => {
  fc.assert(
    fc.property(objectText, fc.array(path, { minLength: 1, maxLength: 5 }), fc.constantFrom("", ",x", "\n{"), (text, find, rest) => {
      const scanner = new ObjectScanner({ find });
      const bytes = Buffer.from(` ${text}${rest}`);
      assert.equal(scanner.scan(bytes, 1), 1 + Buffer.byteLength(text));
      const object: unknown = JSON.parse(text);
      for (const [field, steps] of find.entries()) assert.deepEqual(valuesAt(scanner, bytes, field), lookUp(object, steps));
    }),
    { numRuns: 400 },
  );
});

test("[SCAN5] without its cuts, the text is the object without the fields to cut", () => {
  const cutPath = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(objectText, fc.array(cutPath, { maxLength: 4 }), fc.boolean(), (text, cut, cutOthers) => {
      const scanner = new ObjectScanner({ find: [["metadata", "name"]], cut, cutOthers });
      const bytes = Buffer.from(text);
      scanner.scan(bytes, 0);
      const expected = JSON.parse(text);
      if (cutOthers)
        for (const name of Object.keys(expected)) if (name !== "metadata" && !cut.some(([first]) => first === name)) delete expected[name];
      for (const steps of cut) remove(expected, steps);
      assert.deepEqual(JSON.parse(withoutCuts(bytes, scanner.cuts.slice(0, scanner.cutCount))), expected);
    }),
    { numRuns: 400 },
  );
});

test("[SCAN4] a scanner forgets the object before", () => {
  const scanner = new ObjectScanner({ find: [["a"], ["b", eachItem]], cut: [["c"]] });
  scanner.scan(Buffer.from('{"a":1,"b":[1,2],"c":3}'), 0);
  scanner.scan(Buffer.from("{}"), 0);
  assert.deepEqual([scanner.startOf(0), scanner.endOf(0), scanner.rangesOf(1), scanner.cutCount], [-1, -1, [], 0]);
});

function valuesAt(scanner: ObjectScanner, bytes: Buffer, field: number): unknown[] {
  const ranges = scanner.rangesOf(field);
  const values: unknown[] = [];
  for (let index = 0; index < ranges.length; index += 2) values.push(JSON.parse(bytes.toString("utf8", ranges[index], ranges[index + 1])));
  return values;
}

function lookUp(value: unknown, [step, ...rest]: ScanPath): unknown[] {
  if (step === undefined) return [value];
  if (step === eachItem) return Array.isArray(value) ? value.flatMap((item) => lookUp(item, rest)) : [];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, step) ? lookUp(Object.getOwnPropertyDescriptor(value, step)?.value, rest) : [];
}

function remove(value: unknown, [step = "", ...rest]: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, step)) return;
  if (rest.length === 0) Reflect.deleteProperty(value, step);
  else remove(Object.getOwnPropertyDescriptor(value, step)?.value, rest);
}

function withoutCuts(bytes: Buffer, cuts: readonly number[]): string {
  const edges = [0, ...cuts, bytes.length];
  const kept = edges.flatMap((edge, index) => (index % 2 === 0 ? [bytes.subarray(edge, edges[index + 1])] : []));
  return Buffer.concat(kept).toString("utf8");
}
