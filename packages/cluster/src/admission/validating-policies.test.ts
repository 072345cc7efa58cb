import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@kaji/core";
import { asObject, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const maps = "/api/v1/namespaces/default/configmaps";
const configMaps = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

test("[VP1] a policy is in force as soon as its binding is answered, and no longer once either is gone", async () => {
  await using rig = await startAdmissionRig();
  for (let round = 0; round < 10; round++) {
    await policy(rig, { validations: [{ expression: `${round} < 0` }] });
    assert.equal(await dryRun(rig), "");
    await bind(rig);
    assert.match(await dryRun(rig), new RegExp(`failed expression: ${round} < 0$`));
    await rig.call("PATCH", `${policies}/p`, { spec: { validations: [{ expression: "false", message: "changed" }] } });
    assert.match(await dryRun(rig), /denied request: changed$/);
    await rig.call("DELETE", round % 2 === 0 ? `${policies}/p` : `${bindings}/p`);
    assert.equal(await dryRun(rig), "");
    await rig.call("DELETE", `${policies}/p`);
    await rig.call("DELETE", `${bindings}/p`);
  }
});

test("[VP4] what is to be audited is in the record of the request, and what is to be warned of in the answer", async () => {
  await using rig = await startAdmissionRig();
  await policy(rig, {
    validations: [{ expression: "true" }, { expression: "object.metadata.name != 'bad'", message: "bad name" }],
    auditAnnotations: [
      { key: "named", valueExpression: "'it is ' + object.metadata.name" },
      { key: "nothing", valueExpression: "null" },
    ],
  });
  await bind(rig, { validationActions: ["Warn", "Audit"] });
  const { status, warnings } = await rig.call("POST", maps, { metadata: { name: "bad" } });
  assert.equal(status, 201);
  assert.deepEqual(warnings, [`299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': bad name"`]);
  const { annotations } = rig.records.at(-1) ?? {};
  assert.deepEqual(
    new Map(annotations),
    new Map([
      [
        "validation.policy.admission.k8s.io/validation_failure",
        '[{"message":"bad name","policy":"p","binding":"p","expressionIndex":1,"validationActions":["Warn","Audit"]}]',
      ],
      ["p/named", "it is bad"],
    ]),
  );
});

test("[VP7] objects of custom kinds are parameters, in the version that the policy names", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", limits);
  await policy(rig, {
    paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
    validations: [{ expression: "object.data.size() <= params.max", messageExpression: "'at most ' + string(params.max)" }],
  });
  await bind(rig, { paramRef: { name: "small", parameterNotFoundAction: "Deny" } });
  assert.match(await dryRun(rig), /failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction$/);
  await rig.call("POST", "/apis/example.com/v1/limits", {
    apiVersion: "example.com/v1",
    kind: "Limit",
    metadata: { name: "small" },
    max: 1,
  });
  assert.equal(await dryRun(rig, { data: { a: "1" } }), "");
  assert.match(await dryRun(rig, { data: { a: "1", b: "2" } }), /denied request: at most 1$/);
});

test("[VP3] custom objects are seen in the version that a rule names", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", limits);
  const resourceRules = [{ operations: ["*"], apiGroups: ["example.com"], apiVersions: ["v2"], resources: ["limits"] }];
  await policy(rig, {
    matchConstraints: { resourceRules },
    validations: [
      { expression: "false", messageExpression: "object.apiVersion + ' ' + request.kind.version + ' ' + request.requestKind.version" },
    ],
  });
  await bind(rig);
  const { body } = await rig.call("POST", "/apis/example.com/v1/limits", {
    apiVersion: "example.com/v1",
    kind: "Limit",
    metadata: { name: "a" },
  });
  assert.match(text(body["message"]), /denied request: example.com\/v2 v2 v1$/);
});

test("[VP2] [CMD9] whoever wants to be joined to a pod is subject to policies", async () => {
  await using rig = await startAdmissionRig();
  const resourceRules = [{ operations: ["CONNECT"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/exec"] }];
  const validations = [{ expression: "object.command[0] != 'sh'", message: "no shells" }];
  await policy(rig, { matchConstraints: { resourceRules }, validations });
  await bind(rig);
  await rig.call("POST", "/api/v1/namespaces/default/pods", { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } });
  const exec = async (command: string): Promise<string> => {
    const { body } = await rig.call("GET", `/api/v1/namespaces/default/pods/p/exec?command=${command}`);
    return text(body["message"]);
  };
  assert.match(await exec("sh"), /denied request: no shells$/);
  assert.equal(await exec("ls"), "pod p does not have a host assigned");
});

async function policy(rig: AdmissionRig, spec: JsonObject): Promise<void> {
  const matchConstraints = { resourceRules: [configMaps] };
  const { status, body } = await rig.call("POST", policies, { metadata: { name: "p" }, spec: { matchConstraints, ...spec } });
  assert.equal(status, 201, text(body["message"]));
}

async function bind(rig: AdmissionRig, spec: JsonObject = {}): Promise<void> {
  const whole = { policyName: "p", validationActions: ["Deny"], ...spec };
  const { status, body } = await rig.call("POST", bindings, { metadata: { name: "p" }, spec: whole });
  assert.equal(status, 201, text(body["message"]));
}

/** Why a config map may not be created; empty when it may. */
async function dryRun(rig: AdmissionRig, map: JsonObject = {}): Promise<string> {
  const { body } = await rig.call("POST", `${maps}?dryRun=All`, { metadata: { name: "a" }, ...map });
  return text(asObject(body)["message"]);
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

const schema = { openAPIV3Schema: { type: "object", properties: { max: { type: "integer" } } } };
const limits = {
  metadata: { name: "limits.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { kind: "Limit", plural: "limits" },
    versions: [
      { name: "v1", served: true, storage: true, schema },
      { name: "v2", served: true, storage: false, schema },
    ],
  },
};
