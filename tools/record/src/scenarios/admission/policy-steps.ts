import type { JsonObject } from "@kaji/core";
import type { Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";
import type { Calls } from "../calls.ts";

/** Where the scenarios about policies work. */
export const namespace = "policies";
const group = "/apis/admissionregistration.k8s.io/v1";
export const policies: Calls = callsTo(`${group}/validatingadmissionpolicies`);
export const bindings: Calls = callsTo(`${group}/validatingadmissionpolicybindings`);
export const webhooks: Calls = callsTo(`${group}/validatingwebhookconfigurations`);
export const maps: Calls = callsTo(`/api/v1/namespaces/${namespace}/configmaps`);

const writes = ["CREATE", "UPDATE"];
/** A rule for writes of objects of one kind. */
export const rule = (resource: string, more: JsonObject = {}): JsonObject => {
  return { operations: writes, apiGroups: ["*"], apiVersions: ["v1"], resources: [resource], ...more };
};

/** A policy for the objects of one scenario, since a real server forgets the others only slowly. */
export const policy = (scenario: string, spec: JsonObject, match: JsonObject = {}): Step =>
  policies.create({
    metadata: { name: `${scenario}.example.com` },
    spec: {
      matchConstraints: { resourceRules: [rule("configmaps")], objectSelector: { matchLabels: { scenario } }, ...match },
      ...spec,
    },
  });
/** Binds the policy of the same scenario. */
export const binding = (scenario: string, spec: JsonObject = {}): Step =>
  bindings.create({
    metadata: { name: `${scenario}.example.com` },
    spec: { policyName: `${scenario}.example.com`, validationActions: ["Deny"], ...spec },
  });

/** Comes after all others of a scenario: when it refuses, a real server has noticed them, too. */
export const sentinel = (scenario: string): readonly Step[] => {
  const last = `${scenario}-last`;
  return [
    policy(last, { validations: [{ expression: "false", message: "noticed" }] }),
    binding(last),
    { ...maps.create(map(last, "probe"), "?dryRun=All"), until: "noticed" },
  ];
};
/** A policy with one binding, in force. */
export const inForce = (scenario: string, spec: JsonObject, bound: JsonObject = {}, match: JsonObject = {}): readonly Step[] => [
  policy(scenario, spec, match),
  binding(scenario, bound),
  ...sentinel(scenario),
];
/** A config map that the policies of a scenario mean. */
export const map = (scenario: string, name: string, data?: JsonObject): JsonObject => {
  return { metadata: { name, labels: { scenario } }, ...(data === undefined ? {} : { data }) };
};
/** Creates a config map for each case, which its data names. */
export const ofCases = (scenario: string, ...cases: readonly string[]): readonly Step[] =>
  cases.map((name) => maps.create(map(scenario, name, { case: name })));
/** An expression that fails for one case. */
export const unless = (name: string): string => `object.data.case != '${name}'`;

/** Validations without messages. */
export const validations = (...expressions: readonly string[]): JsonObject => ({
  validations: expressions.map((expression) => ({ expression })),
});
