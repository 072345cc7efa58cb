import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { skipSpace, skipValue } from "./byte-scanner.ts";
import { MalformedJsonError } from "./malformed-json-error.ts";
import { jsonText } from "../testing/arbitrary-json.ts";

test("[SCAN1] a value is stepped over to its end, whatever follows", () => {
  fc.assert(
    fc.property(jsonText(), fc.constantFrom("", ",", "}", "]", "\n", ' "'), (text, rest) => {
      assert.equal(skipValue(Buffer.from(text + rest), 0), Buffer.byteLength(text));
    }),
    { numRuns: 200 },
  );
});

test("[SCAN1] a text is accepted if and only if JSON.parse accepts it", () => {
  const token = fc.constantFrom(...'{}[],:"\\u0041-+.eE019tnf \n', "true", "null", '"a"', '"a":', "[1,2]", "\u0001", "é");
  const soup = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(""));
  const damaged = fc.tuple(jsonText(), fc.nat(), fc.nat(3), token).map(([text, at, drop, insert]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + insert + text.slice(index + drop);
  });
  fc.assert(
    fc.property(fc.oneof(soup, damaged), (text) => {
      assert.equal(isAccepted(text), isJson(text), JSON.stringify(text));
    }),
    { numRuns: 1500 },
  );
});

test("[SCAN2] a refusal says where", () => {
  const cases: readonly (readonly [string, number])[] = [
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ["[1 2]", 3],
    ['"a\\x"', 3],
    ['"a\\u00g0"', 6],
    ["[01]", 2],
    ["[1.]", 3],
    ["-", 1],
    ['{"a":tru}', 5],
    ['"never', 6],
    ["[1}", 2],
  ];
  for (const [text, offset] of cases) {
    assert.throws(
      () => skipValue(Buffer.from(text), 0),
      (error) => error instanceof MalformedJsonError && error.offset === offset,
      text,
    );
  }
});

test("[SCAN3] nesting is accepted as deep as Go accepts it, and no deeper", () => {
  const nested = (depth: number): Buffer => Buffer.from(`${"[".repeat(depth)}${"]".repeat(depth)}`);
  assert.equal(skipValue(nested(9_000), 0), 18_000);
  assert.throws(() => skipValue(nested(1_000_000), 0), /nested deeper than 10000 levels/);
});

function isAccepted(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    return skipSpace(bytes, skipValue(bytes, skipSpace(bytes, 0))) === bytes.length;
  } catch (error) {
    assert.ok(error instanceof MalformedJsonError);
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Refused: that is the answer.
    return false;
  }
}
