import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { freeName } from "./free-name.ts";

test("a name that is taken has the first number that is free, and remembering the last of each makes no difference", () => {
  const names = fc.array(fc.constantFrom("web", "web (2)", "web (4)", "api"), { maxLength: 20 });
  fc.assert(
    fc.property(names, (wanted) => {
      const [plain, remembering, last] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
      for (const [index, name] of wanted.entries()) {
        plain.set(freeName(plain, name), index);
        remembering.set(freeName(remembering, name, last), index);
      }
      assert.deepEqual([...remembering], [...plain]);
      assert.equal(plain.size, wanted.length);
    }),
  );
});
