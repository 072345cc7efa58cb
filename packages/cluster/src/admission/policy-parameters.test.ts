import assert from "node:assert/strict";
import { test } from "node:test";
import type { Authorizer } from "@kaji/apiserver";
import type { JsonObject } from "@kaji/core";
import { startAdmissionRig } from "../testing/admission-rig.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const paul = { username: "paul", groups: [] };

test("[ADM43] whoever writes a policy or binds one must be allowed to read its parameters", async () => {
  const asked: string[] = [];
  const authorize: Authorizer = ({ username }, access) => {
    if (username !== "paul" || access.type === "Path" || access.group !== "") return { allowed: true, reason: "" };
    asked.push([access.verb, access.resource, access.namespace, access.name].join(" "));
    return { allowed: false, reason: "" };
  };
  await using rig = await startAdmissionRig({ authorize });
  const resourceRules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }];
  const spec = {
    paramKind: { apiVersion: "v1", kind: "Secret" },
    matchConstraints: { resourceRules },
    validations: [{ expression: "true" }],
  };
  const policy = { metadata: { name: "p" }, spec };
  const paramRef = { name: "s", namespace: "kube-system", parameterNotFoundAction: "Deny" };
  const binding = { metadata: { name: "b" }, spec: { policyName: "p", validationActions: ["Deny"], paramRef } };
  const create = async (plural: string, body: JsonObject): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const path = `${group}/${plural}`;
    return (await rig.server.transport(paul)({ method: "POST", path, headers, body: Buffer.from(JSON.stringify(body)) })).status;
  };
  assert.equal(await create("validatingadmissionpolicies", policy), 422);
  assert.equal((await rig.call("POST", `${group}/validatingadmissionpolicies`, policy)).status, 201);
  assert.equal(await create("validatingadmissionpolicybindings", binding), 422);
  assert.equal((await rig.call("POST", `${group}/validatingadmissionpolicybindings`, binding)).status, 201);
  assert.deepEqual(asked, ["get secrets * *", "get secrets kube-system s"]);
});
