import assert from "node:assert/strict";
import { test } from "node:test";
import { counted } from "./counted.ts";

test("one thing has the singular, and any other number the plural", () => {
  assert.deepEqual(
    [counted(1, "Pod"), counted(2, "Pod"), counted(0, "day"), counted(3, "NetworkPolicy"), counted(2, "Ingress")],
    ["1 Pod", "2 Pods", "0 days", "3 NetworkPolicies", "2 Ingresses"],
  );
});
