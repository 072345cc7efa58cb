import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@kaji/types/core/v1";
import { objectsOf } from "./processes/testing/objects-of.ts";
import { subPathProblem } from "./sub-path-problem.ts";

function problemOf(subPathExpr: string, annotations: Readonly<Record<string, string>> = {}): string | undefined {
  const env = [
    { name: "UP", value: ".." },
    { name: "ADDRESS", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
    { name: "ROOT", value: "/tmp" },
    { name: "NOTE", valueFrom: { fieldRef: { fieldPath: "metadata.annotations['note']" } } },
  ];
  const container = { name: "main", env, volumeMounts: [{ name: "data", mountPath: "/data", subPathExpr }] };
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", annotations }, spec: { containers: [container] } };
  return subPathProblem(pod, container, objectsOf());
}

test("a path in a volume that follows from variables stays in the volume", () => {
  assert.equal(problemOf("$(UP)/x"), "unable to provision SubPath `../x`: must not contain '..'");
  assert.equal(problemOf("$(ROOT)"), "error SubPath `/tmp` must not be an absolute path");
  assert.equal(problemOf("x$(ROOT)"), undefined);
});

test("a path that follows from variables needs all of them, and has them when they come", () => {
  assert.equal(problemOf("$(NOTE)/$(NONE)/$(UP)"), "missing value for NONE, NOTE");
  assert.equal(problemOf("$(NOTE)/$$(NONE)", { note: "here" }), undefined);
});

test("a pod has an address when its containers start, though it has none yet", () => {
  assert.equal(problemOf("$(ADDRESS)"), undefined);
});
