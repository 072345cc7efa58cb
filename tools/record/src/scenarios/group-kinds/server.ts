import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const schemas = callsTo("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas");
const levels = callsTo("/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations");
const services = callsTo("/apis/apiregistration.k8s.io/v1/apiservices");
const tokenReviews = callsTo("/apis/authentication.k8s.io/v1/tokenreviews");
const selfReviews = callsTo("/apis/authentication.k8s.io/v1/selfsubjectreviews");
const accessReviews = callsTo("/apis/authorization.k8s.io/v1/subjectaccessreviews");
const selfAccessReviews = callsTo("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
const localAccessReviews = callsTo("/apis/authorization.k8s.io/v1/namespaces/group-kinds/localsubjectaccessreviews");

const everybody = { kind: "Group", group: { name: "system:authenticated" } };
const anyPod = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] };
const getPods = { verb: "get", resource: "pods", namespace: "group-kinds" };

/** FlowSchema, PriorityLevelConfiguration, APIService, and the questions about users. */
export const serverScenarios: readonly Scenario[] = [
  {
    name: "C7 C13 C14 X2 flow schema",
    steps: [
      schemas.create({
        metadata: { name: "group-flow" },
        spec: {
          priorityLevelConfiguration: { name: "global-default" },
          distinguisherMethod: { type: "ByUser" },
          rules: [
            {
              subjects: [everybody],
              resourceRules: [anyPod],
              nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["/metrics", "/debug/*"] }],
            },
          ],
        },
      }),
      schemas.create({ metadata: { name: "group-bad" }, spec: {} }),
      schemas.create({
        metadata: { name: "group-bad" },
        spec: {
          matchingPrecedence: 1,
          distinguisherMethod: { type: "Odd" },
          priorityLevelConfiguration: { name: "A" },
          rules: [
            { subjects: [] },
            {
              subjects: [
                { kind: "Odd" },
                { kind: "User" },
                { kind: "User", user: { name: "" }, group: { name: "x" } },
                { kind: "ServiceAccount", serviceAccount: { name: "A", namespace: "" } },
              ],
              resourceRules: [
                { ...anyPod, verbs: ["odd"], namespaces: ["*", "a"] },
                { verbs: [], apiGroups: [], resources: ["*", "a"], namespaces: ["A"] },
                { ...anyPod, namespaces: [] },
              ],
              nonResourceRules: [
                { verbs: ["*", "get"], nonResourceURLs: ["a", "/a b", "//", "/*/a", ""] },
                { verbs: ["get"], nonResourceURLs: ["*", "/a"] },
              ],
            },
          ],
        },
      }),
      schemas.remove("group-flow"),
    ],
  },
  {
    name: "C7 C13 C14 X2 priority level",
    steps: [
      levels.create({
        metadata: { name: "group-level" },
        spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } },
      }),
      levels.create({
        metadata: { name: "group-reject" },
        spec: { type: "Limited", limited: { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" }, borrowingLimitPercent: 5 } },
      }),
      levels.table("group-level"),
      levels.table("group-reject"),
      levels.patch("group-level", { spec: { limited: { nominalConcurrencyShares: 5 } } }),
      levels.create({
        metadata: { name: "group-bad" },
        spec: { type: "Exempt", exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 }, limited: {} },
      }),
      levels.patch("group-level/status", { metadata: { labels: { a: "b" } }, status: { conditions: [{ type: "Own", status: "True" }] } }),
      levels.create({ metadata: { name: "group-bad" }, spec: { type: "Odd" } }),
      levels.create({ metadata: { name: "group-bad" }, spec: { type: "Limited", exempt: {} } }),
      levels.create({
        metadata: { name: "group-bad" },
        spec: {
          type: "Limited",
          limited: {
            nominalConcurrencyShares: -1,
            lendablePercent: -1,
            borrowingLimitPercent: -1,
            limitResponse: { type: "Queue", queuing: { queues: 2, handSize: 3, queueLengthLimit: -1 } },
          },
        },
      }),
      levels.create({
        metadata: { name: "group-bad" },
        spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: { queues: 1000000, handSize: 10 } } } },
      }),
      levels.create({
        metadata: { name: "group-bad" },
        spec: { type: "Limited", limited: { limitResponse: { type: "Reject", queuing: {} } } },
      }),
      levels.remove("group-level"),
    ],
  },
  {
    name: "C4 C13 C14 X2 API service",
    steps: [
      services.create({
        metadata: { name: "v1.group.example.com" },
        spec: {
          group: "group.example.com",
          version: "v1",
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: "group-kinds", name: "api" },
        },
      }),
      services.replace("v1.group.example.com", { metadata: { name: "v1.group.example.com" }, spec: {} }),
      services.create({
        metadata: { name: "bad" },
        spec: {
          group: "group.example.com",
          version: "v1",
          groupPriorityMinimum: 0,
          versionPriority: 2000,
          service: { port: 70000 },
          insecureSkipTLSVerify: true,
          caBundle: "Zm9v",
        },
      }),
      services.create({
        metadata: { name: "v2." },
        spec: { version: "v2", groupPriorityMinimum: 1, versionPriority: 1, insecureSkipTLSVerify: true, caBundle: "Zm9v" },
      }),
      services.remove("v1.group.example.com"),
    ],
  },
  {
    name: "U4 U6 questions about users",
    steps: [
      selfReviews.create({}),
      tokenReviews.create({ spec: {} }),
      accessReviews.create({ spec: { user: "ann", groups: ["system:masters"], resourceAttributes: getPods } }),
      accessReviews.create({ spec: { groups: ["system:masters"], nonResourceAttributes: { path: "/metrics", verb: "get" } } }),
      accessReviews.create({ spec: {} }),
      accessReviews.create({
        metadata: { name: "x" },
        spec: {
          user: "ann",
          resourceAttributes: {
            ...getPods,
            fieldSelector: {},
            labelSelector: { rawSelector: "a", requirements: [{ key: "a", operator: "Exists" }] },
          },
          nonResourceAttributes: { path: "/", verb: "get" },
        },
      }),
      selfAccessReviews.create({ spec: { resourceAttributes: getPods } }),
      selfAccessReviews.create({ spec: {} }),
      localAccessReviews.create({ spec: { user: "ann", groups: ["system:masters"], resourceAttributes: getPods } }),
      localAccessReviews.create({ spec: { user: "ann", resourceAttributes: { ...getPods, namespace: "other" } } }),
      localAccessReviews.create({ spec: { user: "ann", nonResourceAttributes: { path: "/", verb: "get" } } }),
    ],
  },
];
