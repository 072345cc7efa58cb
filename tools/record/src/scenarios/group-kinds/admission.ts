import type { JsonObject } from "@kaji/core";
import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const validating = callsTo(`${group}/validatingwebhookconfigurations`);
const mutating = callsTo(`${group}/mutatingwebhookconfigurations`);
const policies = callsTo(`${group}/validatingadmissionpolicies`);
const policyBindings = callsTo(`${group}/validatingadmissionpolicybindings`);
const mutatingPolicies = callsTo(`${group}/mutatingadmissionpolicies`);
const mutatingBindings = callsTo(`${group}/mutatingadmissionpolicybindings`);

/** Nothing that anybody else creates meanwhile. */
const nothing = { apiGroups: ["none.example.com"], apiVersions: ["v1"], resources: ["nothings"], operations: ["CREATE"] };
const webhook: JsonObject = {
  name: "check.example.com",
  clientConfig: { service: { namespace: "group-kinds", name: "hook" } },
  rules: [nothing],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};

/** The kinds of admissionregistration.k8s.io. */
export const admissionScenarios: readonly Scenario[] = [
  {
    name: "C4 C6 C13 X2 webhook configurations",
    steps: [
      validating.create({ metadata: { name: "group-v" }, webhooks: [webhook] }),
      validating.create({ metadata: { name: "group-none" } }),
      validating.table("group-v"),
      validating.patch("group-v", { metadata: { labels: { a: "b" } } }),
      validating.patch("group-v", { webhooks: [{ ...webhook, timeoutSeconds: 5 }] }),
      validating.replace("group-v", { metadata: { name: "group-v" } }),
      mutating.create({
        metadata: { name: "group-m" },
        webhooks: [
          {
            ...webhook,
            clientConfig: { url: "https://hook.example.com/x", caBundle: "Zm9v" },
            matchConditions: [{ name: "c", expression: "true" }],
          },
        ],
      }),
      mutating.table("group-m"),
      mutating.remove("group-m"),
      validating.remove("group-v"),
    ],
  },
  {
    name: "C14 webhook configuration rules",
    steps: [
      validating.create({ metadata: { name: "group-bad" }, webhooks: [{}] }),
      validating.create({
        metadata: { name: "group-bad" },
        webhooks: [
          {
            ...webhook,
            name: "short",
            failurePolicy: "Odd",
            matchPolicy: "Odd",
            sideEffects: "Some",
            timeoutSeconds: 31,
            admissionReviewVersions: ["v2", "v2", "V_3"],
          },
          {
            ...webhook,
            name: "A.b.c",
            clientConfig: { url: "http://u:p@h/x?q#f", service: { name: "a", namespace: "b" } },
            namespaceSelector: { matchLabels: { "a b": "" } },
          },
          { ...webhook, clientConfig: { url: "http://u:p@h/x?q#f" } },
          {
            ...webhook,
            clientConfig: { service: { name: "", namespace: "n", port: 0, path: "a//b" } },
            rules: [
              { apiGroups: ["*", "a"], apiVersions: ["*", ""], resources: ["*", "pods"], operations: ["*", "Odd"], scope: "Odd" },
              {},
            ],
          },
          {
            ...webhook,
            rules: [{ ...nothing, resources: ["pods/*", "pods/status", "*/scale", "x/scale", "*/*", ""] }],
            matchConditions: [
              { name: "", expression: "" },
              { name: "a b", expression: "true" },
              { name: "a b", expression: "true" },
            ],
          },
        ],
      }),
      mutating.create({ metadata: { name: "group-bad" }, webhooks: [{ ...webhook, reinvocationPolicy: "Odd" }] }),
    ],
  },
  {
    name: "C7 C13 C14 X2 validating admission policy",
    steps: [
      policies.create({
        metadata: { name: "group-policy.example.com" },
        spec: {
          matchConstraints: { resourceRules: [nothing] },
          validations: [{ expression: "true" }],
          paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        },
      }),
      policies.table("group-policy.example.com"),
      policies.patch("group-policy.example.com", { spec: { failurePolicy: "Ignore" } }),
      policies.patch("group-policy.example.com/status", { metadata: { labels: { a: "b" } }, status: { observedGeneration: 1 } }),
      policies.create({ metadata: { name: "group-bad" }, spec: {} }),
      policies.create({
        metadata: { name: "group-bad" },
        spec: {
          failurePolicy: "Odd",
          paramKind: { apiVersion: "a/b/c", kind: "9" },
          matchConstraints: { matchPolicy: "Odd", resourceRules: [{ ...nothing, resourceNames: ["a/b", "x", "x"] }] },
          validations: [{ expression: " " }, { expression: "true", message: " ", reason: "Odd" }, { expression: "true", message: "a\nb" }],
          auditAnnotations: [{ key: "a b", valueExpression: "" }],
        },
      }),
      policyBindings.create({
        metadata: { name: "group-binding.example.com" },
        spec: {
          policyName: "group-policy.example.com",
          validationActions: ["Deny", "Audit"],
          paramRef: { name: "p", namespace: "n", parameterNotFoundAction: "Allow" },
          matchResources: {},
        },
      }),
      policyBindings.table("group-binding.example.com"),
      policyBindings.patch("group-binding.example.com", { spec: { paramRef: { name: null, selector: { matchLabels: { a: "b" } } } } }),
      policyBindings.table("group-binding.example.com"),
      policyBindings.create({
        metadata: { name: "group-bad" },
        spec: { policyName: "A", validationActions: ["Deny", "Warn", "Warn", "Odd"], paramRef: {} },
      }),
      policyBindings.create({
        metadata: { name: "group-bad" },
        spec: { paramRef: { name: "a/b", selector: {}, parameterNotFoundAction: "Odd" } },
      }),
      policyBindings.remove("group-binding.example.com"),
    ],
  },
  {
    name: "C13 C14 X2 mutating admission policy",
    steps: [
      mutatingPolicies.create({
        metadata: { name: "group-mutation.example.com" },
        spec: {
          matchConstraints: { resourceRules: [nothing] },
          mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/a'}]" } }],
          reinvocationPolicy: "Never",
        },
      }),
      mutatingPolicies.table("group-mutation.example.com"),
      mutatingPolicies.create({
        metadata: { name: "group-bad" },
        spec: {
          matchConstraints: { resourceRules: [{ ...nothing, operations: ["DELETE"] }] },
          mutations: [
            {},
            { patchType: "Odd" },
            { patchType: "JSONPatch", applyConfiguration: { expression: "" } },
            { patchType: "ApplyConfiguration", applyConfiguration: { expression: "" } },
          ],
        },
      }),
      mutatingPolicies.create({
        metadata: { name: "group-bad" },
        spec: {
          variables: [
            { name: "in", expression: "true" },
            { name: "", expression: "" },
          ],
          reinvocationPolicy: "Odd",
        },
      }),
      mutatingBindings.create({ metadata: { name: "group-binding.example.com" }, spec: { policyName: "group-mutation.example.com" } }),
      mutatingBindings.table("group-binding.example.com"),
      mutatingBindings.create({
        metadata: { name: "group-bad" },
        spec: { matchResources: { resourceRules: [{ ...nothing, operations: ["DELETE"] }] } },
      }),
      mutatingBindings.remove("group-binding.example.com"),
    ],
  },
];
