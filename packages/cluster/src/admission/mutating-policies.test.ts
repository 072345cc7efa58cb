import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { asObject, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const maps = "/api/v1/namespaces/default/configmaps";
const rule = (apiGroup: string, resource: string): JsonObject => {
  return { operations: ["CREATE", "UPDATE"], apiGroups: [apiGroup], apiVersions: ["*"], resources: [resource] };
};

test("[MP1] a policy changes what is written as soon as its binding is answered, and no longer once either is gone", async () => {
  await using rig = await startAdmissionRig();
  await policy(rig, [rule("", "configmaps")], '[JSONPatch{op: "add", path: "/data", value: {"by": "policy"}}]');
  assert.equal(await dataOf(rig, "before"), undefined);
  await bind(rig);
  assert.deepEqual(await dataOf(rig, "after"), { by: "policy" });
  await rig.call("DELETE", `${group}/mutatingadmissionpolicybindings/p`);
  assert.equal(await dataOf(rig, "again"), undefined);
});

test("[MP2] what is applied is merged by the schema of a custom kind, item by item", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", racks);
  const expression =
    'Object{spec: Object.spec{shelves: [Object.spec.shelves{name: "b", size: 9}, Object.spec.shelves{name: "c", size: 3}]}}';
  await policy(rig, [rule("example.com", "racks")], expression, "ApplyConfiguration");
  await bind(rig);
  const shelves = [
    { name: "a", size: 1 },
    { name: "b", size: 2, color: "red" },
  ];
  const rack = { apiVersion: "example.com/v1", kind: "Rack", metadata: { name: "r" }, spec: { shelves } };
  const { status, body } = await rig.call("POST", "/apis/example.com/v1/namespaces/default/racks", rack);
  assert.equal(status, 201, messageOf(body));
  assert.deepEqual(asObject(body["spec"])["shelves"], [
    { name: "a", size: 1 },
    { name: "b", size: 9, color: "red" },
    { name: "c", size: 3 },
  ]);
});

test("[MP3] a change that would make the object invalid is refused as if the client had asked for it", async () => {
  await using rig = await startAdmissionRig();
  await policy(rig, [rule("", "configmaps")], '[JSONPatch{op: "add", path: "/data", value: {"not a key": "x"}}]');
  await bind(rig);
  const { status, body } = await rig.call("POST", maps, { metadata: { name: "a" } });
  assert.equal(status, 422);
  assert.match(messageOf(body), /data\[not a key\]: Invalid value/);
});

/** What a real server answered to the same, with these policies. */
const onConnections: readonly (readonly [
  patchType: "ApplyConfiguration" | "JSONPatch",
  expression: string,
  exec: string,
  proxy: string,
])[] = [
  [
    "JSONPatch",
    '[JSONPatch{op: "add", path: "/container", value: object.kind == "PodExecOptions" ? object.command[0] : "x"}]',
    "container ls is not valid for pod p",
    'Internal error occurred: strict decoding error: unknown field "container"',
  ],
  [
    "JSONPatch",
    '[JSONPatch{op: "add", path: "/command", value: 3}]',
    "Internal error occurred: json: cannot unmarshal number into Go struct field PodExecOptions.command of type []string",
    'Internal error occurred: strict decoding error: unknown field "command"',
  ],
  [
    "ApplyConfiguration",
    'Object{container: "nope"}',
    "policy 'p' with binding 'p' denied request: error applying patch: failed to convert patch object to typed object: no corresponding type for /v1, Kind=PodExecOptions",
    "policy 'p' with binding 'p' denied request: error applying patch: failed to convert patch object to typed object: no corresponding type for /v1, Kind=PodProxyOptions",
  ],
  ["JSONPatch", '[JSONPatch{op: "test", path: "/kind", value: "Other"}]', "pod p does not have a host assigned", "address not allowed"],
];

test("[MP4] [CMD9] the options by which a client wants to be joined to something can be patched, and not merged", async () => {
  const resourceRules = [{ operations: ["CONNECT"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/exec", "pods/proxy"] }];
  const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  for (const [patchType, expression, exec, proxy] of onConnections) {
    await using rig = await startAdmissionRig();
    await rig.call("POST", "/api/v1/namespaces/default/pods", pod);
    await policy(rig, resourceRules, expression, patchType);
    await bind(rig);
    const said = async (path: string): Promise<string> =>
      messageOf((await rig.call("GET", `/api/v1/namespaces/default/pods/p/${path}`)).body);
    assert.deepEqual([await said("exec?command=ls&container=c"), await said("proxy/x")], [exec, proxy]);
  }
});

function messageOf({ message }: JsonObject): string {
  return typeof message === "string" ? message : "";
}

async function dataOf(rig: AdmissionRig, name: string): Promise<unknown> {
  const { status, body } = await rig.call("POST", maps, { metadata: { name } });
  assert.equal(status, 201, messageOf(body));
  return body["data"];
}

async function policy(rig: AdmissionRig, resourceRules: readonly JsonObject[], expression: string, patchType = "JSONPatch"): Promise<void> {
  const patch = patchType === "JSONPatch" ? { jsonPatch: { expression } } : { applyConfiguration: { expression } };
  const spec = { matchConstraints: { resourceRules }, mutations: [{ patchType, ...patch }], reinvocationPolicy: "Never" };
  const { status, body } = await rig.call("POST", `${group}/mutatingadmissionpolicies`, { metadata: { name: "p" }, spec });
  assert.equal(status, 201, messageOf(body));
}

async function bind(rig: AdmissionRig): Promise<void> {
  await rig.call("POST", `${group}/mutatingadmissionpolicybindings`, { metadata: { name: "p" }, spec: { policyName: "p" } });
}

const shelf = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, size: { type: "integer" }, color: { type: "string" } },
};
const shelfList = { type: "array", items: shelf, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };
const racks = {
  metadata: { name: "racks.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Rack", plural: "racks" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { shelves: shelfList } } } } },
      },
    ],
  },
};
