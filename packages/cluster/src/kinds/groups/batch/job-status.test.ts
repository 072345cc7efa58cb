import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { validateJobStatus } from "./job-status.ts";

const startTime = "2026-01-01T00:00:00Z";
const indexed = { completionMode: "Indexed", parallelism: 2, completions: 2 };
const suspended = { type: "Suspended", status: "True" };

function job(spec: JsonObject, status: JsonObject): DynamicObject {
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "work" }, spec, status };
}

function problems(spec: JsonObject, before: JsonObject, status: JsonObject): readonly string[] {
  return validateJobStatus(job(spec, status), job(spec, before)).map(({ field, body }) => `${field}: ${body}`);
}

test("[JOB1] what does not fit together in the status of a job is refused once it changes, and else left to its controller", () => {
  // So it is when an indexed job has just been made smaller.
  const before = { startTime, succeeded: 5, completedIndexes: "0-4" };
  assert.deepEqual(problems(indexed, before, { ...before, active: 1 }), []);
  const problem = /^status\.completedIndexes: Invalid value: "0-3": error parsing completedIndexes/;
  assert.match(problems(indexed, before, { ...before, completedIndexes: "0-3" }).join("\n"), problem);

  const early = { conditions: [{ type: "Failed", status: "True" }], active: 1, ready: 2 };
  assert.deepEqual(problems({}, early, { ...early, terminating: 0 }), []);
  assert.deepEqual(problems({}, early, { ...early, active: 2 }), ["status.active: Invalid value: 2: active>0 is invalid for finished job"]);
  assert.deepEqual(problems({}, early, { ...early, ready: 3 }), ["status.ready: Invalid value: 3: cannot set more ready pods than active"]);
  assert.deepEqual(problems({}, { active: 1 }, early).length, 4);
  assert.deepEqual(problems({}, { active: 0, ready: 2 }, { ready: 2, succeeded: 1 }), []);
});

test("[JOB1] the time at which a job was started changes while it is suspended, and as it is said to be no longer", () => {
  const before = { startTime, conditions: [suspended] };
  const later = "2026-01-01T00:01:00Z";
  const fixed = [`status.startTime: Invalid value: "${later}": field is immutable for unsuspended job once set`];
  assert.deepEqual(problems({ suspend: true }, before, { conditions: [suspended] }), []);
  assert.deepEqual(problems({}, before, { startTime: later, conditions: [{ ...suspended, status: "False" }] }), []);
  assert.deepEqual(problems({}, before, { startTime: later, conditions: [suspended] }), fixed);
  assert.deepEqual(problems({}, before, { startTime: later, conditions: [] }), fixed);
});
