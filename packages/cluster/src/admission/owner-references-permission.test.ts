import assert from "node:assert/strict";
import { test } from "node:test";
import type { Authorizer } from "@kaji/apiserver";
import { startAdmissionRig } from "../testing/admission-rig.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const owner = { apiVersion: "v1", kind: "Secret", name: "a", uid: "0d1c8f0e-1111-4222-8333-000000000000", blockOwnerDeletion: true };
const owned = { metadata: { name: "owned", ownerReferences: [owner] } };

/** Everything is allowed but to set finalizers and to delete. */
const authorize: Authorizer = (_user, access) => ({
  allowed: access.type === "Path" || (access.subresource !== "finalizers" && access.verb !== "delete"),
  reason: "not you",
});

test("[ADM47] an owner is given, and its deletion blocked, by those who may; unless that is asked for, by everybody", async () => {
  await using open = await startAdmissionRig({ authorize });
  assert.equal((await open.call("POST", maps, owned)).status, 201);

  await using rig = await startAdmissionRig({ authorize, withAdmission: ["OwnerReferencesPermissionEnforcement"] });
  const refused = await rig.call("POST", maps, owned);
  assert.deepEqual(
    [refused.status, refused.body["message"]],
    [
      403,
      'configmaps "owned" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: not you, <nil>',
    ],
  );
  assert.equal((await rig.call("POST", maps, { metadata: { name: "plain" } })).status, 201);
  const given = await rig.call("PUT", `${maps}/plain`, { metadata: { name: "plain", ownerReferences: [owner] } });
  assert.deepEqual(
    [given.status, given.body["message"]],
    [403, 'configmaps "plain" is forbidden: cannot set an ownerRef on a resource you can\'t delete: not you, <nil>'],
  );
});
