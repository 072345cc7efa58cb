import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiError, alreadyExists, badRequest, conflict, forbidden, invalid, isReason, notFound } from "./api-error.ts";
import type { Status } from "./status.ts";

const calls = { alreadyExists, badRequest, conflict, forbidden, invalid, notFound };

interface Vector {
  readonly call: keyof typeof calls;
  readonly args: readonly unknown[];
  readonly status: Omit<Status, "kind" | "apiVersion">;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/api-error.json", import.meta.url), "utf8"));

test("[ERR3] every refusal is the status that apimachinery makes", () => {
  for (const { call, args, status } of vectors) {
    const make = calls[call] as (...args: readonly unknown[]) => ApiError;
    assert.deepEqual(make(...args).status, { ...status, kind: "Status", apiVersion: "v1" }, call);
  }
});

test("[ERR4] a program decides on the reason", () => {
  const error = notFound({ group: "", plural: "pods" }, "web");
  assert.ok(isReason(error, "NotFound"));
  assert.ok(isReason(error, "Conflict", "NotFound"));
  assert.ok(!isReason(error, "Conflict"));
  assert.ok(!isReason(new Error("pods not found"), "NotFound"));
  assert.ok(!isReason(undefined, "NotFound"));
});

test("[ERR4] an error that has none of the reasons is still what it was", () => {
  const error: unknown = notFound({ group: "", plural: "pods" }, "web");
  if (!(error instanceof ApiError) || isReason(error, "Conflict")) throw error;
  assert.equal(error.code, 404);
});

test("[ERR5] where a server gives none of the reasons, as a webhook may, it follows from the code", () => {
  const refused = (more: object): ApiError => new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", ...more });
  assert.ok(isReason(refused({ code: 403, message: "denied by policy" }), "Forbidden"));
  assert.ok(isReason(refused({ code: 410, reason: "" }), "Gone"));
  assert.ok(isReason(refused({ code: 409, reason: "replicas are managed by team blue" }), "Conflict"));
  assert.ok(isReason(refused({ code: 404, reason: "constructor" }), "NotFound"));
  assert.ok(isReason(refused({ code: 400, reason: "Invalid" }), "Invalid"));
  assert.equal(refused({ code: 418, reason: "Teapot" }).reason, "");
  assert.equal(refused({ code: 418, reason: "Teapot" }).code, 418);
});

test("a status without reason or code is an internal error", () => {
  const error = new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" });
  assert.deepEqual([error.reason, error.code, error.message], ["", 500, "the server refused the request"]);
});

test("the message names the request, and the cause is kept", () => {
  const cause = new Error("broken pipe");
  const { status } = notFound({ group: "apps", plural: "deployments" }, "web");
  const error = new ApiError(status, { request: { verb: "GET", path: "/x" }, cause });
  assert.equal(error.message, 'deployments.apps "web" not found (GET /x)');
  assert.equal(error.cause, cause);
  assert.deepEqual(error.details, { name: "web", group: "apps", kind: "deployments" });
});
