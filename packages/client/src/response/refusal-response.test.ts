import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiError } from "@kaji/core";
import { refusalOf } from "./refusal-response.ts";

function refused(status: number, body: string, { verb = "GET", headers = {} } = {}): ApiError {
  return refusalOf({ status, headers }, Buffer.from(body), { verb, path: "/api/v1/pods" });
}

test("[CL5] a Status is taken as it is, with the request added", () => {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: 'pods "a" not found',
    reason: "NotFound",
    code: 404,
  };
  const error = refused(404, `\n${JSON.stringify(status)}`);
  assert.deepEqual(error.status, status);
  assert.equal(error.message, 'pods "a" not found (GET /api/v1/pods)');
});

test("[CL5] when to try again is in the details, though only the header says it", () => {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    reason: "TooManyRequests",
    code: 429,
    details: { name: "a" },
  };
  const error = refused(429, JSON.stringify(status), { headers: { "retry-after": "2" } });
  assert.deepEqual(error.details, { name: "a", retryAfterSeconds: 2 });
});

test("[CL5] what is no Status but says that it is one leads nobody astray", () => {
  const odd = { kind: "Status", message: {}, reason: 1, code: "x", details: { causes: {}, retryAfterSeconds: "soon" } };
  const error = refused(404, JSON.stringify(odd), { headers: { "retry-after": "2" } });
  assert.deepEqual(error.details, { retryAfterSeconds: 2 });
  assert.equal(error.message, "the server refused the request (GET /api/v1/pods)");
});

test("[CL6] where there is no Status, the reason follows from the code", () => {
  const reasons = [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504].map((code) => refused(code, "").reason);
  assert.deepEqual(reasons, [
    ...["BadRequest", "Unauthorized", "Forbidden", "NotFound", "MethodNotAllowed", "NotAcceptable", "Conflict", "Gone"],
    ...["RequestEntityTooLarge", "UnsupportedMediaType", "Invalid", "TooManyRequests", "InternalError", "InternalError"],
    ...["ServiceUnavailable", "Timeout"],
  ]);
  assert.equal(refused(409, "", { verb: "POST" }).reason, "AlreadyExists");
  const teapot = refused(418, "{}");
  assert.equal(teapot.reason, "");
  assert.equal(teapot.code, 418);
});

test("[CL6] what a proxy says is kept, shortened", () => {
  const error = refused(502, `<html>${"bad gateway ".repeat(100)}</html>`, { headers: { "retry-after": "3" } });
  assert.match(error.message, /^an error on the server has prevented the request from succeeding: <html>bad gateway/);
  assert.ok(error.message.length < 400);
  assert.equal(error.details?.retryAfterSeconds, 3);
  assert.equal(error.details?.causes?.[0]?.reason, "UnexpectedServerResponse");
});

test("[CL6] a body that only looks like JSON does no harm", () => {
  for (const body of ["{", "{}", '{"kind":"Pod"}', "[]", "null", '{"__proto__":{"kind":"Status"}}'])
    assert.equal(refused(404, body).reason, "NotFound");
});
