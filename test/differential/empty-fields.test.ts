import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyFieldSteps } from "./empty-fields.ts";

test("each list and map of an object is empty once when it is made and once when it is replaced, at any depth", () => {
  const steps = emptyFieldSteps("1").get("networking.k8s.io/v1 NetworkPolicy")?.("here") ?? [];
  const puts = steps.filter(({ method }) => method === "PUT").map(({ body }) => JSON.stringify(body));
  const posts = steps
    .filter(({ method, path }) => method === "POST" && path.endsWith("?dryRun=All"))
    .map(({ body }) => JSON.stringify(body));
  assert.deepEqual(puts, posts);
  assert.equal(new Set(puts).size, puts.length);
  for (const empty of ['"labels":{}', '"finalizers":[]', '"ingress":[]', '"from":[]', '"policyTypes":[]']) {
    assert.ok(
      puts.some((body) => body.includes(empty)),
      empty,
    );
  }
});

test("every kind that can be stored is tried", () => {
  const kinds = [...emptyFieldSteps("1").keys()];
  assert.ok(kinds.length >= 50, String(kinds.length));
  for (const kind of ["v1 Pod", "apps/v1 Deployment", "batch/v1 Job", "v1 Namespace"]) assert.ok(kinds.includes(kind), kind);
});
