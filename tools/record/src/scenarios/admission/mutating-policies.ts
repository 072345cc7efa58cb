import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const namespace = "mutating-policies";
const policies = callsTo(`${group}/mutatingadmissionpolicies`);
const bindings = callsTo(`${group}/mutatingadmissionpolicybindings`);
const maps = callsTo(`/api/v1/namespaces/${namespace}/configmaps`);
const deployments = callsTo(`/apis/apps/v1/namespaces/${namespace}/deployments`);

const rule = (apiGroup: string, ...resources: readonly string[]): JsonObject => {
  return { operations: ["CREATE", "UPDATE"], apiGroups: [apiGroup], apiVersions: ["v1"], resources };
};
const jsonPatch = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });
const configuration = (expression: string): JsonObject => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });

/** A policy for the objects of one scenario, since a real server forgets the others only slowly. */
const policy = (scenario: string, mutations: readonly JsonObject[], more: JsonObject = {}): Step =>
  policies.create({
    metadata: { name: `${scenario}.example.com` },
    spec: {
      matchConstraints: {
        resourceRules: [rule("", "configmaps"), rule("apps", "deployments")],
        objectSelector: { matchLabels: { scenario } },
      },
      mutations,
      reinvocationPolicy: "Never",
      ...more,
    },
  });
const binding = (scenario: string, spec: JsonObject = {}): Step =>
  bindings.create({ metadata: { name: `${scenario}.example.com` }, spec: { policyName: `${scenario}.example.com`, ...spec } });
const map = (scenario: string, name: string, data: JsonObject = {}): JsonObject => ({ metadata: { name, labels: { scenario } }, data });
const deployment = (scenario: string, name: string): JsonObject => ({
  metadata: { name, labels: { scenario } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "main", image: "main:1", args: ["a"] }], tolerations: [{ key: "k", operator: "Exists" }] },
    },
  },
});

/** Comes after all others of a scenario: when it changes something, a real server has noticed them, too. */
const sentinel = (scenario: string): readonly Step[] => {
  const last = `${scenario}-last`;
  return [
    policy(last, [jsonPatch(`[JSONPatch{op: "add", path: "/data/seen", value: "noticed"}]`)]),
    binding(last),
    { ...maps.create(map(last, "probe", { a: "b" }), "?dryRun=All"), until: "noticed" },
  ];
};
const inForce = (scenario: string, mutations: readonly JsonObject[], more: JsonObject = {}, bound: JsonObject = {}): readonly Step[] => [
  policy(scenario, mutations, more),
  binding(scenario, bound),
  ...sentinel(scenario),
];
/** A policy that does one thing to one config map. */
const once = (scenario: string, mutation: JsonObject, more: JsonObject = {}): readonly Step[] => [
  ...inForce(scenario, [mutation], more),
  maps.create(map(scenario, scenario, { a: "1" })),
];
/** A policy that does one thing to one Deployment. */
const toDeployment = (scenario: string, mutation: JsonObject): readonly Step[] => [
  ...inForce(scenario, [mutation]),
  deployments.create(deployment(scenario, scenario), "?dryRun=All"),
];

/** MutatingAdmissionPolicies: what they do, and what is said of those that cannot. */
export const mutatingPolicyScenarios: readonly Scenario[] = [
  {
    name: "M8 operations of a JSON patch",
    steps: [
      ...once(
        "operations",
        jsonPatch(`[
          JSONPatch{op: "test", path: "/data/a", value: "1"},
          JSONPatch{op: "add", path: "/data/b", value: object.data.a + "!"},
          JSONPatch{op: "copy", from: "/data/a", path: "/data/c"},
          JSONPatch{op: "move", from: "/data/c", path: "/data/d"},
          JSONPatch{op: "replace", path: "/data/a", value: "2"},
          JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/a~b"), value: "x"},
          JSONPatch{op: "add", path: "/metadata/annotations", value: {"k": "v"}}
        ]`),
      ),
      maps.patch("operations", { data: { a: "1" } }),
      maps.patch("operations", { data: { a: "3" } }),
      ...once(
        "test-fails",
        jsonPatch(`[JSONPatch{op: "add", path: "/data/b", value: "x"}, JSONPatch{op: "test", path: "/data/a", value: "9"}]`),
      ),
      ...once("missing", jsonPatch(`[JSONPatch{op: "remove", path: "/data/nothing/there"}]`)),
      ...once("ignored", jsonPatch(`[JSONPatch{op: "remove", path: "/data/nothing/there"}]`), { failurePolicy: "Ignore" }),
      ...once("unknown-field", jsonPatch(`[JSONPatch{op: "add", path: "/nothing", value: "x"}]`)),
      ...once("wrong-type", jsonPatch(`[JSONPatch{op: "add", path: "/data/b", value: 1}]`)),
      ...once("wrong-op", jsonPatch(`[JSONPatch{op: "change", path: "/data/b", value: "x"}]`)),
      ...once("failing", jsonPatch(`[JSONPatch{op: "add", path: "/data/b", value: object.data.absent}]`)),
      ...once("of-objects", jsonPatch(`[JSONPatch{op: "replace", path: "/data", value: Object.data{b: "x"}}]`)),
    ],
  },
  {
    name: "M8 configurations that are applied",
    steps: [
      ...once("applied", configuration(`Object{metadata: Object.metadata{labels: {"added": "yes"}}, data: {"b": object.metadata.name}}`)),
      ...toDeployment(
        "sidecar",
        configuration(`Object{spec: Object.spec{replicas: object.spec.replicas + 1, template: Object.spec.template{spec: Object.spec.template.spec{
          containers: [Object.spec.template.spec.containers{name: "side", image: "side:1"}],
          initContainers: [Object.spec.template.spec.initContainers{name: "first", image: "first:1", restartPolicy: "Always"}]
        }}}}`),
      ),
      ...toDeployment(
        "optional-fields",
        configuration(`Object{spec: Object.spec{?replicas: optional.none(), ?minReadySeconds: optional.of(3), template: Object.spec.template{
          metadata: Object.spec.template.metadata{annotations: {"a": "b"}}}}}`),
      ),
      ...toDeployment(
        "merged-item",
        configuration(`Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{
          containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, image: "other/" + c.image})}}}}`),
      ),
      ...toDeployment(
        "atomic",
        configuration(`Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{
          containers: [Object.spec.template.spec.containers{name: "main", args: ["b"]}], tolerations: []}}}}`),
      ),
      ...toDeployment("no-such-field", configuration(`Object{spec: Object.spec{nothing: 1}}`)),
      ...toDeployment("no-number", configuration(`Object{spec: Object.spec{replicas: "three"}}`)),
      ...toDeployment("wrong-name", configuration(`Object{spec: Object.spec{template: Object.spec.wrong{}}}`)),
    ],
  },
  {
    name: "M8 when they are in force",
    steps: [
      ...inForce("conditions", [jsonPatch(`[JSONPatch{op: "add", path: "/data/b", value: variables.suffixed}]`)], {
        matchConditions: [{ name: "wanted", expression: "object.data.a == 'yes'" }],
        variables: [{ name: "suffixed", expression: "object.data.a + '-' + request.operation" }],
      }),
      maps.create(map("conditions", "is-meant", { a: "yes" })),
      maps.create(map("conditions", "is-not", { a: "no" })),
      maps.create(map("conditions", "fails")),
      maps.patch("is-meant", { data: { c: "d" } }),
      maps.create({ metadata: { name: "parameters", labels: { role: "parameters" } }, data: { value: "from parameters" } }),
      ...inForce(
        "with-params",
        [jsonPatch(`[JSONPatch{op: "add", path: "/data/b", value: params.data.value}]`)],
        { paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
        { paramRef: { selector: { matchLabels: { role: "parameters" } }, parameterNotFoundAction: "Deny" } },
      ),
      { ...maps.create(map("with-params", "with-params", { a: "1" })), until: "from parameters" },
      ...inForce(
        "without-params",
        [jsonPatch(`[JSONPatch{op: "add", path: "/data/b", value: params.data.value}]`)],
        { paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
        { paramRef: { name: "nowhere", parameterNotFoundAction: "Deny" } },
      ),
      maps.create(map("without-params", "without-params", { a: "1" })),
      ...inForce("two", [
        jsonPatch(`[JSONPatch{op: "add", path: "/data/b", value: "1"}]`),
        configuration(`Object{data: {"c": object.data.b + "2"}}`),
      ]),
      maps.create(map("two", "two", { a: "1" })),
      maps.create(map("two", "two-dry", { a: "1" }), "?dryRun=All"),
      maps.patch("two-applied", { apiVersion: "v1", kind: "ConfigMap", ...map("two", "two-applied", { a: "1" }) }, "apply"),
    ],
  },
  {
    name: "M8 one that sees what others did after it",
    steps: [
      policy("again", [jsonPatch(`[JSONPatch{op: "add", path: "/data/first", value: has(object.data.second) ? "saw it" : "did not"}]`)], {
        reinvocationPolicy: "IfNeeded",
      }),
      binding("again"),
      policies.create({
        metadata: { name: "later.example.com" },
        spec: {
          matchConstraints: { resourceRules: [rule("", "configmaps")], objectSelector: { matchLabels: { scenario: "again" } } },
          mutations: [
            jsonPatch(`[JSONPatch{op: "add", path: "/data/second", value: has(object.data.second) ? object.data.second + "+" : "1"}]`),
          ],
          reinvocationPolicy: "Never",
        },
      }),
      binding("later"),
      ...sentinel("again"),
      maps.create(map("again", "again", { a: "1" })),
    ],
  },
  {
    name: "M8 expressions that are refused",
    steps: [
      policy("bad-1", [jsonPatch(`[JSONPatch{op: 1, path: "/a"}]`)]),
      policy("bad-2", [jsonPatch(`JSONPatch{op: "add", path: "/a"}`)]),
      policy("bad-3", [jsonPatch(`[]`)]),
      policy("bad-4", [jsonPatch(`[{"op": "add"}]`)]),
      policy("bad-5", [configuration(`{"spec": {}}`)]),
      policy("bad-6", [configuration(`Object.spec{}`)]),
      policy("bad-7", [configuration(`Objekt{}`)]),
      policy("bad-8", [configuration(`Object{spec: nothing}`)]),
      policy("bad-9", [configuration(`Object{?spec: 1}`)]),
      policy("bad-10", [configuration(`int{}`)]),
      policy("bad-11", [jsonPatch(`[JSONPatch{op: "add", path: "/a", value: variables.none}]`)]),
      policy("bad-12", [jsonPatch(`[JSONPatch{op: "add", path: "/a" + jsonpatch.escapeKey(1)}]`)]),
      policy("bad-13", [jsonPatch(`[JSONPatch{op: "add"}, 1]`)]),
      policy("bad-14", [jsonPatch(`[JSONPatch{op: "add", path: "/a", value: [1, "a"]}]`)]),
      policies.create({
        metadata: { name: "not-there.example.com" },
        spec: {
          matchConstraints: { resourceRules: [rule("", "configmaps")] },
          matchConditions: [{ name: "a", expression: `Object{} == Object{}` }],
          variables: [{ name: "b", expression: `jsonpatch.escapeKey("a")` }],
          mutations: [jsonPatch(`[JSONPatch{op: "add", path: "/a"}]`)],
          reinvocationPolicy: "Never",
        },
      }),
    ],
  },
];
