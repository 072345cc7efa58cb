import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, defineOperator, webhook } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { greetingOf } from "./dev-target.ts";

test("on another cluster it is said whose webhooks are not called, where there are some", () => {
  const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({}) });
  const target = { name: "staging (https://staging:6443)", kubeconfig: undefined };
  const parts = { name: "bars", controllers: [defineController(Bar, { reconcile() {} })] };
  assert.equal(
    greetingOf(target, defineOperator(parts)),
    "Developing on staging (https://staging:6443). Ctrl+C stops it, and leaves definitions and roles in place.\n\n",
  );
  const webhooks = [webhook(Bar, { validate() {} }), webhook(Deployment, { validate() {} })];
  assert.match(
    greetingOf(target, defineOperator({ ...parts, webhooks })),
    /\nThat API server cannot reach this machine: the webhooks of Bar, Deployment are not called: nothing is defaulted or refused by them\.\n\n$/,
  );
});

test("whoever develops is told a first step that works: of samples only where there are some", () => {
  const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({}) });
  const target = { name: "https://127.0.0.1:6443", kubeconfig: ".kaji/kubeconfig" };
  const bars = defineOperator({ name: "bars", controllers: [defineController(Bar, { reconcile() {} })] });
  assert.match(greetingOf(target, bars), /\n {2}npx kaji manifests --out deploy && kubectl apply -f deploy\/samples\n/);
  const reloader = defineOperator({ name: "reloader", controllers: [defineController(Deployment, { reconcile() {} })] });
  assert.match(greetingOf(target, reloader), /\n {2}kubectl get deployments --all-namespaces\n/);
});
