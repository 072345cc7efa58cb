import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { standInOrigin } from "../../webhooks/stand-in-webhooks.ts";
import { callsTo } from "../calls.ts";

const namespace = "webhooks";
const configurations = "/apis/admissionregistration.k8s.io/v1";
const mutating = callsTo(`${configurations}/mutatingwebhookconfigurations`);
const validating = callsTo(`${configurations}/validatingwebhookconfigurations`);
const maps = callsTo(`/api/v1/namespaces/${namespace}/configmaps`);
const deployments = callsTo(`/apis/apps/v1/namespaces/${namespace}/deployments`);
const autoscalers = callsTo(`/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`);
const pods = callsTo(`/api/v1/namespaces/${namespace}/pods`);

const configMapRule: JsonObject = { operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

/** A webhook for the objects of one scenario, since a real server forgets the others only slowly. */
const webhook = (scenario: string, path: string, more: JsonObject = {}): JsonObject => ({
  name: `${path.replaceAll("/", "-")}.example.com`,
  clientConfig: { url: `${standInOrigin}/${path}` },
  rules: [configMapRule],
  objectSelector: { matchLabels: { scenario } },
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  ...more,
});
const configuration = (name: string, ...webhooks: readonly JsonObject[]): JsonObject => ({ metadata: { name }, webhooks });
const map = (scenario: string, name: string, more: JsonObject = {}): JsonObject => ({ metadata: { name, labels: { scenario } }, ...more });
/** Asks again, without consequences, until a real server has noticed what was configured. */
const noticed = (scenario: string, text: string): Step => ({ ...maps.create(map(scenario, "probe"), "?dryRun=All"), until: text });

/** A webhook that is asked once about the creation of a map. */
const oneOf = (kind: "mutating" | "validating", path: string): readonly Step[] => {
  const scenario = `${kind}-${path.replaceAll("/", "-")}`;
  const calls = kind === "mutating" ? mutating : validating;
  const only = { ...webhook(scenario, path), rules: [{ ...configMapRule, operations: ["CREATE"] }] };
  // The second webhook tells when the first has been noticed, too, and is never asked about anything else.
  const sentinel = webhook(`${scenario}-sentinel`, "deny", { name: "sentinel.example.com" });
  return [
    calls.create(configuration(scenario, only, sentinel)),
    noticed(`${scenario}-sentinel`, "denied the request"),
    maps.create(map(scenario, "a")),
  ];
};
const answers = (name: string, kind: "mutating" | "validating", paths: readonly string[]): Scenario => ({
  name,
  steps: paths.flatMap((path) => [...oneOf(kind, path), maps.remove("a")]),
});

/** Admission by webhooks: whom a server asks, what it tells them, and what it makes of their answers. */
export const webhookScenarios: readonly Scenario[] = [
  answers("W1 answers of validating webhooks", "validating", [
    "allow",
    "deny",
    "deny-message",
    "deny-reason",
    "deny-details",
    "deny-code",
    "warn",
    "warn-and-deny",
    "label/x",
    "no-patch",
  ]),
  answers("W2 answers that make no sense", "validating", [
    "wrong-uid",
    "no-uid",
    "no-kind",
    "wrong-kind",
    "old-version",
    "no-response",
    "mistyped",
    "empty",
    "no-json",
    "array",
  ]),
  answers("W3 answers that are no success", "validating", [
    "broken-server",
    "json-server",
    "absent-server",
    "closed-server",
    "busy-server",
    "status-server",
    "odd-server",
  ]),
  answers("W4 patches of mutating webhooks", "mutating", [
    "label/x",
    "data/webhook",
    "unknown",
    "mistype",
    "rename",
    "no-patch",
    "no-operations",
    "no-patch-type",
    "empty-patch-type",
    "other-patch-type",
    "broken-patch",
    "object-patch",
    "failing-patch",
    "failing-test",
    "deny",
    "warn",
  ]),
  {
    name: "W5 what webhooks are told",
    steps: [
      validating.create(configuration("told", webhook("told", "show", { rules: [{ ...configMapRule, operations: ["CREATE"] }] }))),
      noticed("told", "denied the request"),
      maps.create(map("told", "a", { data: { b: "c" } })),
      maps.create({ metadata: { generateName: "a-", labels: { scenario: "told" } } }),
      maps.create(map("told", "a"), "?fieldManager=me&fieldValidation=Strict"),
      maps.patch("a", { apiVersion: "v1", kind: "ConfigMap", ...map("told", "a") }, "apply"),
    ],
  },
  {
    name: "W5 what webhooks are told of changes",
    steps: [
      validating.create(
        configuration(
          "changes",
          webhook("changes", "show", { rules: [{ ...configMapRule, operations: ["UPDATE", "DELETE"] }] }),
          webhook("changes-sentinel", "deny"),
        ),
      ),
      noticed("changes-sentinel", "denied the request"),
      maps.create(map("changes", "a", { data: { b: "c" } })),
      maps.replace("a", map("changes", "a", { data: { b: "d" } })),
      maps.patch("a", { data: { b: "d" } }),
      maps.remove("a"),
      maps.remove("a", { propagationPolicy: "Foreground", gracePeriodSeconds: 5 }),
      maps.remove("a", { dryRun: ["All"] }),
      { method: "DELETE", path: `/api/v1/namespaces/${namespace}/configmaps?labelSelector=scenario%3Dchanges` },
      validating.remove("changes"),
      { ...maps.remove("a"), until: '"Success"' },
    ],
  },
  {
    name: "W5 what mutating webhooks are told",
    steps: [
      mutating.create(
        configuration("early", webhook("early", "show", { rules: [{ ...configMapRule, operations: ["CREATE", "DELETE"] }] })),
      ),
      noticed("early", "denied the request"),
      maps.create({ metadata: { generateName: "a-", labels: { scenario: "early" } } }),
      maps.create(map("other", "b")),
      maps.patch("b", { metadata: { labels: { scenario: "early" } } }),
      maps.remove("b"),
      mutating.remove("early"),
      { ...maps.remove("b"), until: '"Success"' },
    ],
  },
  {
    name: "W5 patches of what is deleted",
    steps: [
      mutating.create(
        configuration("late-patch", webhook("late-patch", "label/x", { rules: [{ ...configMapRule, operations: ["DELETE"] }] })),
      ),
      maps.create(map("late-patch", "a")),
      { ...maps.remove("a", { dryRun: ["All"] }), until: "attempted to modify" },
      maps.remove("a"),
      mutating.remove("late-patch"),
      { ...maps.remove("a"), until: '"Success"' },
    ],
  },
  {
    name: "W6 order and second rounds",
    steps: [
      mutating.create(
        configuration("rounds-b", webhook("rounds", "append/c", { reinvocationPolicy: "IfNeeded" }), webhook("rounds", "append/d")),
      ),
      mutating.create(
        configuration("rounds-a", webhook("rounds", "append/a", { reinvocationPolicy: "IfNeeded" }), webhook("rounds", "append-once/b")),
      ),
      noticed("rounds", '"rounds":"abcdac"'),
      maps.create(map("rounds", "a")),
      maps.patch("a", { data: { x: "y" } }),
      mutating.create(
        configuration("once", webhook("once", "append-once/a", { reinvocationPolicy: "IfNeeded" }), webhook("once", "append-once/b")),
      ),
      noticed("once", '"rounds":"ab"'),
      maps.create(map("once", "b")),
    ],
  },
  {
    name: "W7 failure policies and time",
    steps: [
      validating.create(
        configuration(
          "ignored",
          webhook("ignored", "broken-server", { failurePolicy: "Ignore" }),
          webhook("ignored", "wrong-uid", { failurePolicy: "Ignore" }),
          webhook("ignored", "slow", { failurePolicy: "Ignore", timeoutSeconds: 1 }),
          webhook("ignored-sentinel", "deny"),
        ),
      ),
      noticed("ignored-sentinel", "denied the request"),
      maps.create(map("ignored", "a")),
      validating.create(configuration("late", webhook("late", "slow", { timeoutSeconds: 1 }))),
      noticed("late", "deadline exceeded"),
      maps.create(map("late", "b")),
      mutating.create(
        configuration("lenient", webhook("lenient", "broken-patch", { failurePolicy: "Ignore" }), webhook("lenient", "label/kept")),
      ),
      noticed("lenient", '"touched":"kept"'),
      maps.create(map("lenient", "c")),
      mutating.create(configuration("strict", webhook("strict", "failing-patch", { failurePolicy: "Ignore" }))),
      noticed("strict", "Internal error"),
      maps.create(map("strict", "d")),
    ],
  },
  {
    name: "W8 whom rules mean",
    steps: [
      validating.create(
        configuration(
          "rules",
          webhook("rules", "deny/scale", {
            rules: [{ operations: ["UPDATE"], apiGroups: ["apps"], apiVersions: ["*"], resources: ["*/scale"] }],
            objectSelector: {},
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          }),
          webhook("rules", "deny/cluster", {
            rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], scope: "Cluster" }],
          }),
          webhook("rules", "deny/exact", {
            matchPolicy: "Exact",
            rules: [{ operations: ["*"], apiGroups: ["autoscaling"], apiVersions: ["v2"], resources: ["*"] }],
          }),
          webhook("rules-equivalent", "show", {
            rules: [{ operations: ["*"], apiGroups: ["autoscaling"], apiVersions: ["v2"], resources: ["*"] }],
          }),
          webhook("rules-status", "deny/status", {
            rules: [{ operations: ["UPDATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments/status"] }],
          }),
          webhook("rules-sentinel", "deny"),
        ),
      ),
      noticed("rules-sentinel", "denied the request"),
      maps.create(map("rules", "a")),
      callsTo("/api/v1/namespaces").create({ metadata: { name: "webhooks-other", labels: { scenario: "rules" } } }),
      autoscalers.create({
        metadata: { name: "a", labels: { scenario: "rules" } },
        spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50, scaleTargetRef: { kind: "Deployment", name: "a" } },
      }),
      autoscalers.create({
        metadata: { name: "b", labels: { scenario: "rules-equivalent" } },
        spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50, scaleTargetRef: { kind: "Deployment", name: "b" } },
      }),
      deployments.create({
        metadata: { name: "a", labels: { scenario: "rules-status" } },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
        },
      }),
      deployments.patch("a/status", { status: { replicas: 1 } }),
      deployments.patch("a/scale", { spec: { replicas: 2 } }),
      deployments.patch("a", { spec: { replicas: 3 } }),
    ],
  },
  {
    name: "W8 subresources with a type of their own",
    steps: [
      mutating.create(
        configuration(
          "scaling",
          webhook("scaling", "replicas/4", {
            rules: [{ operations: ["UPDATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments/scale"] }],
            objectSelector: {},
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          }),
          webhook("scaling-sentinel", "deny"),
        ),
      ),
      validating.create(
        configuration(
          "actions",
          webhook("actions", "show", {
            rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/eviction", "pods/binding"] }],
            objectSelector: {},
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          }),
          webhook("actions-sentinel", "deny"),
        ),
      ),
      noticed("scaling-sentinel", "denied the request"),
      noticed("actions-sentinel", "denied the request"),
      deployments.create({
        metadata: { name: "s" },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
        },
      }),
      deployments.patch("s/scale", { spec: { replicas: 2 } }),
      deployments.get("s"),
      pods.create({ metadata: { name: "p" }, spec: { containers: [{ name: "a", image: "a" }] } }),
      {
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/pods/p/eviction`,
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
      },
      {
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/pods/p/binding`,
        body: { metadata: { name: "p" }, target: { kind: "Node", name: "n" } },
      },
    ],
  },
  {
    name: "W9 selectors and labels that come and go",
    steps: [
      validating.create(
        configuration(
          "selecting",
          webhook("selecting", "deny/namespace", { namespaceSelector: { matchLabels: { absent: "yes" } } }),
          webhook("selecting", "deny/object", {
            objectSelector: {
              matchExpressions: [
                { key: "scenario", operator: "In", values: ["selecting"] },
                { key: "free", operator: "DoesNotExist" },
              ],
            },
          }),
        ),
      ),
      noticed("selecting", "denied the request"),
      maps.create({ metadata: { name: "a", labels: { scenario: "selecting", free: "yes" } } }),
      maps.patch("a", { metadata: { labels: { free: null } } }),
      maps.patch("a", { metadata: { labels: { scenario: "another" } } }),
      maps.patch("a", { data: { a: "b" } }),
    ],
  },
  {
    name: "W11 versions of reviews",
    steps: [
      validating.create(
        configuration(
          "versions",
          webhook("versions-show", "show", { admissionReviewVersions: ["v9", "v1beta1", "v1"] }),
          webhook("versions-uid", "wrong-uid", { admissionReviewVersions: ["v1beta1"] }),
          webhook("versions-kind", "no-kind", { admissionReviewVersions: ["v1beta1"] }),
          webhook("versions-patch", "label/x", { admissionReviewVersions: ["v1beta1"] }),
          webhook("versions-sentinel", "deny", { name: "sentinel.example.com" }),
        ),
      ),
      mutating.create(
        configuration(
          "patch-versions",
          webhook("patch-versions-type", "no-patch-type-label", { admissionReviewVersions: ["v1beta1"] }),
          webhook("patch-versions-sentinel", "deny", { name: "sentinel.example.com" }),
        ),
      ),
      noticed("versions-sentinel", "denied the request"),
      noticed("patch-versions-sentinel", "denied the request"),
      ...["versions-show", "versions-uid", "versions-kind", "versions-patch", "patch-versions-type"].map((scenario) =>
        maps.create(map(scenario, scenario)),
      ),
    ],
  },
  {
    name: "W10 configurations are nobody's business",
    steps: [
      validating.create(
        configuration(
          "greedy",
          webhook("greedy", "deny", { rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }] }),
        ),
      ),
      noticed("greedy", "denied the request"),
      mutating.create({ metadata: { name: "free", labels: { scenario: "greedy" } }, webhooks: [] }),
      validating.patch("greedy", { metadata: { labels: { scenario: "greedy" } } }),
      validating.remove("greedy"),
      { ...maps.create(map("greedy", "probe"), "?dryRun=All"), until: '"ConfigMap"' },
      maps.create(map("greedy", "a")),
    ],
  },
];
