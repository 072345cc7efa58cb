import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutAbsent } from "./without-absent.ts";

test("what is undefined or null is removed from maps, at any depth, and not from lists", () => {
  const env = [
    { name: "A", value: undefined },
    { name: "B", valueFrom: { secretKeyRef: { name: "s", optional: null } } },
  ];
  assert.deepEqual(withoutAbsent({ spec: { containers: [{ env }], paused: null }, list: [null, 1], empty: {} }), {
    spec: { containers: [{ env: [{ name: "A" }, { name: "B", valueFrom: { secretKeyRef: { name: "s" } } }] }] },
    list: [null, 1],
    empty: {},
  });
});

test("what has nothing to remove stays the very same, and what was cleaned has nothing to remove", () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, fc.constantFrom(1, "a", true), tie("list"), tie("map")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    map: fc.dictionary(fc.string(), fc.oneof(tie("value"), fc.constantFrom(null, undefined)), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(value, (given) => {
      const cleaned = withoutAbsent(given);
      assert.equal(withoutAbsent(cleaned), cleaned);
      const text = JSON.stringify(given, (_key, inside: unknown) => (inside === null ? undefined : inside));
      assert.equal(JSON.stringify(cleaned), text);
    }),
  );
});
