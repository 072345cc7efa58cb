import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import type { TreeNode } from "../page/live-message.ts";
import { Thing, seen } from "../testing/seen-objects.ts";
import { ClusterModel } from "./cluster-model.ts";
import type { Entry } from "./kind-table.ts";
import { defaultLimits } from "./limits.ts";
import type { Limits } from "./limits.ts";
import { treeOf } from "./object-tree.ts";

function modelOf(owners: Readonly<Record<string, string | undefined>>, limits: Partial<Limits> = {}): ClusterModel {
  const model = new ClusterModel({ ...defaultLimits, ...limits }, new ManualClock());
  const kind = model.addKind(Thing, true);
  for (const [uid, owner] of Object.entries(owners)) model.put(kind, seen(uid, owner === undefined ? {} : { owner }));
  return model;
}

function entryOf(model: ClusterModel, uid: string): Entry {
  return model.entry(uid) ?? assert.fail(`${uid} is not there`);
}

/** `a(b* c +2)`: children in brackets, a star for the chosen one, how many are hidden. */
function draw({ name, isChosen, isKnown, children, hidden }: TreeNode): string {
  const inside = [...children.map(draw), ...(hidden === 0 ? [] : [`+${hidden}`])].join(" ");
  return `${name}${isChosen ? "*" : ""}${isKnown ? "" : "?"}${inside === "" ? "" : `(${inside})`}`;
}

const family = { bar: undefined, deployment: "bar", set: "deployment", "pod-1": "set", "pod-2": "set", other: undefined };

test("[DB13] a tree goes up to the first owner and down to all that is owned", () => {
  const model = modelOf(family);
  const tree = (uid: string): string => draw(treeOf(model, entryOf(model, uid)).root);
  assert.equal(tree("bar"), "bar*(deployment(set(pod-1 pod-2)))");
  assert.equal(tree("set"), "bar(deployment(set*(pod-1 pod-2)))");
  assert.equal(tree("pod-2"), "bar(deployment(set(pod-2* +1)))");
  assert.equal(tree("other"), "other*");
  assert.deepEqual(treeOf(model, entryOf(model, "set")).below, new Set(["set", "pod-1", "pod-2"]));
  assert.ok(treeOf(model, entryOf(model, "set")).uids.has("bar"));
});

test("an owner that was not seen is known by its name", () => {
  const model = modelOf({ pod: "gone" });
  assert.equal(draw(treeOf(model, entryOf(model, "pod")).root), "gone?(pod*)");
});

test("a tree has its limits, and no object twice", () => {
  const wide = modelOf({ a: undefined, b1: "a", b2: "a", b3: "a" }, { childrenInTree: 2 });
  assert.equal(draw(treeOf(wide, entryOf(wide, "a")).root), "a*(b1 b2 +1)");
  const deep = modelOf({ a: undefined, b: "a", c: "b", d: "c" }, { treeDepth: 2 });
  assert.equal(draw(treeOf(deep, entryOf(deep, "a")).root), "a*(b(c(+1)))");
  const circle = modelOf({ a: "b", b: "a" });
  assert.equal(draw(treeOf(circle, entryOf(circle, "a")).root), "a*(b)");
});
