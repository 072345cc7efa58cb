import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ParseError } from "@kaji/core";
import { compileRe2 } from "./re2.ts";

/** What Go's regexp makes of patterns; see tools/vectors/custom. */
interface PatternVector {
  readonly pattern: string;
  readonly error?: string;
  readonly matches?: string;
  readonly texts?: readonly string[];
}

const vectors: readonly PatternVector[] = JSON.parse(readFileSync(new URL("../../../testdata/patterns.json", import.meta.url), "utf8"));

test("[CRD20] a pattern means what it means to Go, and is refused in Go's words", () => {
  const texts = vectors[0]?.texts ?? [];
  assert.ok(vectors.length > 500 && texts.length > 20);
  for (const { pattern, error, matches } of vectors) {
    if (error !== undefined) {
      assert.throws(() => compileRe2(pattern), { constructor: ParseError, message: error });
      continue;
    }
    const compiled = compileRe2(pattern);
    assert.equal(texts.map((text) => (compiled.test(text) ? "1" : "0")).join(""), matches, pattern);
  }
});

test("[CRD20] nested repetitions together stay within the limit", () => {
  assert.ok(compileRe2("(a{10}){100}").test("a".repeat(1000)));
  assert.throws(() => compileRe2("(a{10}){101}"), { message: "error parsing regexp: invalid repeat count: `{101}`" });
});

test("[CRD20] no pattern takes exponential time, or the square of a long text's length", () => {
  const nested = ["^(a+)+$", "^(((a+)+)+)+$", "^(a|aa)+$", "^(a?b?)*$", "^((a{1,9}){1,9}){1,9}$", "^(([a-z])+.)+[A-Z]$", "(a?){40}b"];
  const inSequence = [`^${"a?".repeat(40)}b`, `^${"(a|a)".repeat(40)}b`, "a*a*a*a*b", ".*a.*b.*c", "a{1,500}a{1,500}a{1,500}b", "a+b"];
  for (const pattern of [...nested, ...inSequence]) {
    for (const length of [9, 10, 1000, 100_000]) {
      assert.equal(compileRe2(pattern).test(`${"a".repeat(length)}!`), false, pattern);
    }
  }
  const domain = compileRe2("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$");
  assert.deepEqual(
    ["a.b", "my-service.default.svc.cluster.local", "my-service.default.svc.cluster.local."].map((name) => domain.test(name)),
    [true, true, false],
  );
});
