import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kaji/types/core/v1";
import { defineController } from "../declare/define-controller.ts";
import { defineOperator } from "./define-operator.ts";

const controller = defineController(ConfigMap, { reconcile: () => undefined });

test("an operator without webhooks has an empty list of them", () => {
  assert.deepEqual(defineOperator({ name: "maps", controllers: [controller] }), {
    name: "maps",
    controllers: [controller],
    webhooks: [],
    conversions: [],
    apis: [],
    resources: [],
  });
});

test("a name that no object can have is refused", () => {
  assert.throws(() => defineOperator({ name: "My Operator", controllers: [] }), /^TypeError: an operator cannot be named "My Operator": /);
});

test("two controllers of one name are refused", () => {
  assert.throws(
    () => defineOperator({ name: "maps", controllers: [controller, controller] }),
    /operator maps has two controllers named configmap; give one of them another name/,
  );
});

test("what is not a controller is refused with its place, also where nobody checks types", () => {
  const websites = (): typeof controller => controller;
  // @ts-expect-error -- the types refuse it too
  assert.throws(() => defineOperator({ name: "maps", controllers: [controller, websites] }), {
    message: "operator maps: controllers[1] is the function websites, which has to be called",
  });
  // @ts-expect-error -- the types refuse it too
  assert.throws(() => defineOperator({ name: "maps", controllers: [], webhooks: [undefined] }), {
    message: "operator maps: webhooks[0] is undefined",
  });
});
