import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { as, callsTo } from "../calls.ts";
import { grant, rule, untilAllowed } from "./policy-calls.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const validatingPolicies = callsTo(`${group}/validatingadmissionpolicies`);
const validatingBindings = callsTo(`${group}/validatingadmissionpolicybindings`);
const mutatingPolicies = callsTo(`${group}/mutatingadmissionpolicies`);
const mutatingBindings = callsTo(`${group}/mutatingadmissionpolicybindings`);

const paul = (step: Step): Step => as("paul", step);
const known = { apiVersion: "v1", kind: "ConfigMap" };
const unknown = { apiVersion: "nowhere.example.com/v1", kind: "Nothing" };

/** A policy that matches nothing. */
const policy = (name: string, paramKind: JsonObject, spec: JsonObject = { validations: [{ expression: "true" }] }): JsonObject => ({
  metadata: { name: `access-${name}` },
  spec: {
    paramKind,
    matchConstraints: {
      resourceRules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"] }],
      objectSelector: { matchLabels: { never: "so" } },
    },
    ...spec,
  },
});
const mutations = {
  reinvocationPolicy: "Never",
  mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
};

const bound = (name: string, policyName: string, paramRef: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: `access-${name}` },
  spec: { policyName: `access-${policyName}`, paramRef: { parameterNotFoundAction: "Deny", ...paramRef }, ...spec },
});
const deny = { validationActions: ["Deny"] };

/** Policies say of their parameters whatever they like, so that only those may write them who may read the parameters. */
export const policyParameterScenarios: readonly Scenario[] = [
  {
    name: "U5 parameters of policies that their writer may not read",
    steps: [
      ...grant(
        "access-policies",
        "paul",
        [rule("admissionregistration.k8s.io", "*", "*"), rule("", "configmaps", "get", "mine")],
        "cluster",
      ),
      untilAllowed("paul", { verb: "get", resource: "configmaps", name: "mine" }),
      paul(validatingPolicies.create(policy("all", known))),
      paul(validatingPolicies.create(policy("unknown", unknown))),
      as("paul", validatingPolicies.create(policy("all", known)), "some"),
      paul(validatingPolicies.create(policy("wrong", { apiVersion: "a/b/c", kind: "ConfigMap" }))),
      validatingPolicies.create(policy("given", known)),
      validatingPolicies.create(policy("nothing", unknown)),
      paul(validatingPolicies.patch("access-given", { metadata: { labels: { a: "b" } } })),
      paul(validatingPolicies.patch("access-given", { spec: { paramKind: { kind: "Secret" } } })),
      paul(validatingBindings.create(bound("mine", "given", { name: "mine", namespace: "access" }, deny))),
      paul(validatingBindings.create(bound("other", "given", { name: "other", namespace: "access" }, deny))),
      paul(validatingBindings.create(bound("some", "given", { selector: {} }, deny))),
      paul(validatingBindings.create(bound("absent", "absent", { name: "mine" }, deny))),
      paul(validatingBindings.create(bound("nothing", "nothing", { name: "mine" }, deny))),
      paul(validatingBindings.patch("access-mine", { metadata: { labels: { a: "b" } } })),
      paul(validatingBindings.patch("access-mine", { spec: { paramRef: { name: "other" } } })),
      validatingBindings.create(bound("other", "given", { name: "other", namespace: "access" }, deny)),
      paul(validatingBindings.patch("access-other", { metadata: { labels: { a: "b" } } })),
      paul(mutatingPolicies.create(policy("all", known, mutations))),
      mutatingPolicies.create(policy("given", known, mutations)),
      paul(mutatingBindings.create(bound("other", "given", { name: "other", namespace: "access" }))),
      paul(mutatingBindings.create(bound("mine", "given", { name: "mine", namespace: "access" }))),
    ],
  },
];
