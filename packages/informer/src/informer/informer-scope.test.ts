import assert from "node:assert/strict";
import { test } from "node:test";
import { widget } from "../testing/widget.ts";
import { compileScope } from "./informer-scope.ts";

test("[RYW4] an object is in the scope if the server would say so, or could", () => {
  const isIn = (fieldSelector: string, spec: object): boolean => compileScope({ fieldSelector })(() => ({ ...widget("a"), ...{ spec } }));
  assert.deepEqual(
    ["a", "b"].map((owner) => isIn("spec.owner=a", { owner })),
    [true, false],
  );
  assert.deepEqual(
    [isIn("spec.owner=a", {}), isIn("spec.owner!=a", {}), isIn("spec.owner=", {}), isIn("spec.owner!=", {})],
    [false, true, true, false],
  );
  assert.deepEqual(
    [isIn("spec.off=false", { off: true }), isIn("spec.off=false", { off: false }), isIn("spec.off=true", {})],
    [false, true, false],
  );
  // The server alone knows whether a flag that is not there is false.
  for (const selector of ["spec.off=false", "spec.off!=false", "status.count=0"]) assert.ok(isIn(selector, {}), selector);
});
