import assert from "node:assert/strict";
import { test } from "node:test";
import { reconcileTracer } from "./reconcile-log.ts";

test("each reconcile is a line with its object, its result and how long it took, and other spans are none", () => {
  const lines: string[] = [];
  const tracer = reconcileTracer((line) => lines.push(line));
  const attributes = { "k8s.object.kind": "example.com/v1, Kind=Bar", "k8s.object.key": "default/one" };
  for (const outcome of ["Done", "TerminalError", "Aborted"]) {
    const result = tracer.startActiveSpan("reconcile bar", { attributes }, (span) => {
      span.setAttribute("kaji.outcome", outcome).setStatus({ code: 1 });
      span.end();
      return outcome;
    });
    assert.equal(result, outcome);
  }
  tracer.startActiveSpan("GET /api/v1/pods", (span) => span.end());
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? "", /^reconciled Bar default\/one in \d+ ms: done\n$/);
  assert.match(lines[1] ?? "", /^reconciled Bar default\/one in \d+ ms: failed for good\n$/);
});
