import assert from "node:assert/strict";
import { test } from "node:test";
import { compileSelector, notFound } from "@kaji/core";
import type { KubeObject, ObjectMeta, OwnerReference } from "@kaji/core";
import { claim, claimOf } from "./claim.ts";
import type { Claim } from "./claim.ts";

const reference: OwnerReference = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "owner", uid: "1", controller: true };
const stranger: OwnerReference = { ...reference, name: "other", uid: "2" };
const selector = compileSelector({ matchLabels: { app: "web" } });

function object(metadata: Partial<ObjectMeta>): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "pod", namespace: "default", ...metadata } };
}

const owner = object({ name: "owner", uid: "1" });
const goingOwner = object({ name: "owner", uid: "1", deletionTimestamp: "2026-01-01T00:00:00Z" });
const matching = { labels: { app: "web" } };

test("an owner keeps what it controls and selects, lets go of the rest, and takes what nothing controls", () => {
  const cases: readonly (readonly [KubeObject, Partial<ObjectMeta>, Claim])[] = [
    [owner, { ...matching, ownerReferences: [reference] }, "Keep"],
    [owner, { ownerReferences: [reference] }, "Release"],
    [owner, matching, "Adopt"],
    [owner, {}, "Leave"],
    [owner, { ...matching, ownerReferences: [stranger] }, "Leave"],
    [owner, { ...matching, deletionTimestamp: "2026-01-01T00:00:00Z" }, "Leave"],
    [owner, { ...matching, namespace: "other" }, "Leave"],
    [goingOwner, { ...matching, ownerReferences: [reference] }, "Keep"],
    [goingOwner, { ownerReferences: [reference] }, "Leave"],
    [goingOwner, matching, "Leave"],
  ];
  for (const [by, metadata, expected] of cases) assert.equal(claimOf(by, selector, object(metadata)), expected);
});

test("an owner that the server says is going takes nothing", async () => {
  const writes: unknown[] = [];
  const claimed = await claim([object(matching)], {
    owner,
    reference,
    selector,
    fresh: async () => goingOwner,
    setOwners: async (pod, owners) => (writes.push(owners), pod),
  });
  assert.deepEqual([claimed, writes], [[], []]);
});

test("what is taken keeps its other owners, and what is gone meanwhile is left out", async () => {
  const plain: OwnerReference = { ...stranger, controller: false };
  const setOwners = async (pod: KubeObject, ownerReferences: readonly OwnerReference[]): Promise<KubeObject> => {
    if (pod.metadata.name === "gone") throw notFound({ group: "", plural: "pods" }, "gone");
    return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
  };
  const candidates = [object({ ...matching, ownerReferences: [plain] }), object({ ...matching, name: "gone" })];
  const claimed = await claim(candidates, { owner, reference, selector, fresh: async () => owner, setOwners });
  assert.deepEqual(
    claimed.map(({ metadata }) => metadata.ownerReferences),
    [[plain, reference]],
  );
});
