import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ParseError } from "../error/parse-error.ts";
import { compareResourceVersions } from "./resource-version.ts";

test("[RV1] law: versions of any length are ordered as the numbers they are", () => {
  const versions = fc.bigInt({ min: 0n, max: 2n ** 80n });
  fc.assert(
    fc.property(versions, versions, (left, right) => {
      const order = left < right ? -1 : left > right ? 1 : 0;
      assert.equal(Math.sign(compareResourceVersions(String(left), String(right))), order);
      assert.equal(compareResourceVersions(String(left), String(left)), 0);
    }),
    { seed: 10 },
  );
});

test("[RV2] what is not a decimal number without leading zeros cannot be compared", () => {
  for (const version of ["", "01", "-1", "1.0", "a", " 1", "1\n", "0x1"]) {
    const error = new ParseError(`resource version "${version}" is not a decimal number`);
    assert.throws(() => compareResourceVersions(version, "1"), error);
    assert.throws(() => compareResourceVersions("1", version), error);
  }
});
