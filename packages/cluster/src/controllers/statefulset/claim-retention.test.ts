import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatefulSet, StatefulSetSpec } from "@kaji/types/apps/v1";
import { ownedFromBirth } from "./claim-retention.ts";

function setWith(policy: StatefulSetSpec["persistentVolumeClaimRetentionPolicy"]): StatefulSet {
  const metadata = { name: "db", namespace: "default", uid: "u" };
  const spec = {
    serviceName: "db",
    selector: {},
    template: {},
    ...(policy === undefined ? {} : { persistentVolumeClaimRetentionPolicy: policy }),
  };
  return { apiVersion: "apps/v1", kind: "StatefulSet", metadata, spec };
}

// Exploring the controller found claims that stayed for ever: it was killed before their pod was made, and the set deleted meanwhile.
test("a claim that is to go with its set belongs to it from its first moment, and any other to nobody", () => {
  const claim = { metadata: { name: "data-db-0", namespace: "default" } };
  const owners = (set: StatefulSet) => ownedFromBirth(claim, set).metadata.ownerReferences?.map(({ kind, uid }) => `${kind} ${uid}`);
  assert.deepEqual(owners(setWith({ whenDeleted: "Delete" })), ["StatefulSet u"]);
  assert.equal(owners(setWith({ whenDeleted: "Retain", whenScaled: "Delete" })), undefined);
  assert.equal(owners(setWith(undefined)), undefined);
});
