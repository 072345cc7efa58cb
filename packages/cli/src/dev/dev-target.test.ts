import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, defineOperator } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { greetingOf } from "./dev-target.ts";

test("whoever develops is told a first step that works: of samples only where there are some", () => {
  const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({}) });
  const target = { name: "https://127.0.0.1:6443", kubeconfig: ".kaji/kubeconfig" };
  const bars = defineOperator({ name: "bars", controllers: [defineController(Bar, { reconcile() {} })] });
  assert.match(greetingOf(target, bars), /\n {2}npx kaji manifests --out deploy && kubectl apply -f deploy\/samples\n/);
  const reloader = defineOperator({ name: "reloader", controllers: [defineController(Deployment, { reconcile() {} })] });
  assert.match(greetingOf(target, reloader), /\n {2}kubectl get deployments --all-namespaces\n/);
});
