import assert from "node:assert/strict";
import { test } from "node:test";
import { shortError, shortText } from "./short-text.ts";

test("a long text is told by its beginning, and a long error by its beginning and its end", () => {
  const value = `{"containers":[${'"web",'.repeat(200)}]}`;
  assert.match(shortText(value), /^\{"containers":\["web",.*…$/);
  assert.match(
    shortError(`spec.template: Invalid value: ${value}: field is immutable`),
    /^spec\.template: Invalid value: .* … .*: field is immutable$/,
  );
  assert.equal(shortError("the name is taken"), shortText("the name is taken"));
});
