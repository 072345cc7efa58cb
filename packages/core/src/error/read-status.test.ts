import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, isNamespaceEnding } from "./api-error.ts";
import { statusOf } from "./read-status.ts";

test("a Status is taken as it is", () => {
  const causes = [{ reason: "FieldValueInvalid", message: "no", field: "spec.a" }, { message: "alone" }];
  const details = { name: "a", group: "g", kind: "pods", uid: "u", causes, retryAfterSeconds: 2, more: {} };
  const status = {
    apiVersion: "v1",
    kind: "Status",
    metadata: {},
    status: "Failure",
    message: "m",
    reason: "NotFound",
    code: 404,
    details,
  };
  assert.deepEqual(statusOf(status), status);
});

test("fields of a Status that are not of their type count as absent, and whoever reads it is not led astray", () => {
  const odd = { kind: "Status", message: { a: 1 }, reason: ["Gone"], code: "404", details: "none" };
  assert.deepEqual(statusOf(odd), { kind: "Status" });
  const details = { name: 1, causes: [null, "x", { message: 5, field: "spec" }], retryAfterSeconds: "soon" };
  assert.deepEqual(statusOf({ code: 404, details }), { code: 404, details: { causes: [{ field: "spec" }] } });
  assert.deepEqual(statusOf({ details: { causes: {}, retryAfterSeconds: 1e300 } }), { details: {} });
  for (const value of [null, "gone", 5, [], { details: { causes: { 0: 1 } } }]) {
    const error = new ApiError(statusOf(value));
    assert.equal(error.message, "the server refused the request");
    assert.equal(isNamespaceEnding(error), false);
  }
});
