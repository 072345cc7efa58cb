import assert from "node:assert/strict";
import { test } from "node:test";
import { ToldError } from "@kaji/cluster/control-plane";
import { conflict } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import { loopFailures } from "./loop-failures.ts";

test("what goes wrong in a controller of the control plane itself is told once, with the object and the stack", () => {
  let text = "";
  const log = loopFailures({ out: () => {}, err: (line) => (text += line) }).child({ component: "kubelet" });
  const full = new RangeError("no address is left");
  for (const object of ["default/a", "default/b"]) log.child({ object }).error({ err: full, attempt: 1 }, "reconcile failed");
  assert.match(text, /^internal error in kubelet at default\/a: RangeError: no address is left\n +at .*loop-failures\.test\.ts/);
  assert.equal(text.match(/internal error/g)?.length, 1);
});

test("what the server refuses a controller, what events tell, and what it says besides, is not told", () => {
  let text = "";
  const log = loopFailures({ out: () => {}, err: (line) => (text += line) }).child({ component: "kubelet" });
  log.error({ err: conflict(Pod, "a", "the object has been modified") }, "reconcile failed");
  log.error({ err: new ToldError("pvc data-db-0 is being deleted") }, "reconcile failed");
  log.error("it is said");
  log.warn({ err: new Error("late") }, "slow");
  assert.equal(text, "");
});
