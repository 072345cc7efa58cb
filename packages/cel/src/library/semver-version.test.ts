import assert from "node:assert/strict";
import { test } from "node:test";
import { SemverError, compareVersions, normalizeVersion, parseVersion } from "./semver-version.ts";

test("[CEL12] versions are ordered as semver.org has it", () => {
  const sorted = [
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.10.0",
    "2.0.0",
  ];
  for (const [low, text] of sorted.entries()) {
    for (const [high, other] of sorted.entries()) {
      assert.equal(compareVersions(parseVersion(text), parseVersion(other)), Math.sign(low - high), `${text} ${other}`);
    }
  }
});

test("[CEL12] short versions are completed if that is wanted", () => {
  assert.deepEqual(["v1", "1.2", "v01.002.0003", "1.2.3-rc.1"].map(normalizeVersion), ["1.0.0", "1.2.0", "1.2.3", "1.2.3-rc.1"]);
  for (const text of ["", "1", "1.2", "a.b.c", "1.2.3-", "1.2.3+", "1.2.3-01", "01.2.3", "1.2.3.4", `1.2.${2n ** 64n}`]) {
    assert.throws(() => parseVersion(text), SemverError, text);
  }
});
