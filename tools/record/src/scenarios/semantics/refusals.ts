import type { JsonObject } from "@kaji/core";
import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const maps = callsTo("/api/v1/namespaces/refusals/configmaps");
const leases = callsTo("/apis/coordination.k8s.io/v1/namespaces/refusals/leases");
const jobs = callsTo("/apis/batch/v1/namespaces/refusals/jobs");
const events = callsTo("/apis/events.k8s.io/v1/namespaces/refusals/events");
const roles = callsTo("/apis/rbac.authorization.k8s.io/v1/namespaces/refusals/roles");
const claims = callsTo("/apis/resource.k8s.io/v1/namespaces/refusals/resourceclaimtemplates");
const definitions = callsTo("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
const boats = "/apis/refusals.example.com/v1/namespaces/refusals/boats";

const bad: JsonObject = { labels: { app: "<b>" } };
const bytes = (b: JsonObject["b"]): JsonObject => ({ metadata: { name: "bytes" }, binaryData: { b } });
const job: JsonObject = { template: { spec: { containers: [{ name: "main", image: "nginx" }], restartPolicy: "Never" } } };
const boatDefinition: JsonObject = {
  metadata: { name: "boats.refusals.example.com" },
  spec: {
    group: "refusals.example.com",
    scope: "Namespaced",
    names: { plural: "boats", kind: "Boat" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: ".spec.oars", statusReplicasPath: ".status.oars" } },
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { oars: { type: "integer" } } } } },
        },
      },
    ],
  },
};
const event: JsonObject = {
  eventTime: "2025-06-01T00:00:00.000000Z",
  action: "Looking",
  reason: "Curious",
  type: "Normal",
  reportingController: "example.com/me",
  reportingInstance: "me-0",
  regarding: { kind: "Pod", namespace: "refusals", name: "web" },
};
const boat = { apiVersion: "refusals.example.com/v1", kind: "Boat", metadata: { name: "a" } };

/** What is refused, how often it is said and in which order. */
export const refusalScenarios: readonly Scenario[] = [
  {
    name: "W1 bytes one by one",
    steps: [
      maps.create(bytes([1, 2, 255])),
      maps.create(bytes([256])),
      maps.create(bytes([1.5])),
      maps.create(bytes(["a"])),
      maps.create(bytes([[]])),
      maps.create(bytes([null]), "?dryRun=All"),
      maps.create(bytes({})),
    ],
  },
  {
    name: "W4 what a patch gets wrong is said by name",
    steps: [
      leases.create({ metadata: { name: "a" }, spec: {} }),
      leases.patch("a", { spec: { b: 1, a: 2 } }),
      leases.patch("a", { spec: { leaseDurationSeconds: "x", holderIdentity: 3 } }),
      leases.patch("a", { spec: { b: { z: 1, a: 1 }, a: 2, acquireTime: 3 } }),
      leases.patch("a", { spec: { b: 1, a: 2 } }, "strategic"),
      leases.patch("a", { spec: 1e308 }, "strategic"),
      leases.patch(
        "a",
        [
          { op: "add", path: "/spec/b", value: { z: 1, a: 1 } },
          { op: "add", path: "/spec/a", value: 1 },
        ],
        "json",
      ),
    ],
  },
  {
    name: "V1 how often metadata is found wrong",
    steps: [
      jobs.create({ metadata: { name: "a" }, spec: job }),
      jobs.patch("a", { metadata: bad }),
      jobs.replace("a", { metadata: { name: "a", ...bad }, spec: job }),
      { method: "PATCH", path: "/apis/batch/v1/namespaces/refusals/jobs/a/status", body: { metadata: bad } },
      events.create({ metadata: { name: "a", ...bad }, ...event }),
      definitions.create(boatDefinition),
      { method: "GET", path: boats, until: '"BoatList"' },
      {
        method: "PATCH",
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.refusals.example.com",
        body: { metadata: bad },
      },
      { method: "POST", path: boats, body: boat },
      { method: "PATCH", path: `${boats}/a`, body: { metadata: bad } },
      { method: "DELETE", path: `${boats}/a`, body: { propagationPolicy: "Foreground" } },
      { method: "PATCH", path: `${boats}/a`, body: { metadata: { finalizers: ["foregroundDeletion", "example.com/more"] } } },
      claims.create({ metadata: { name: "a" }, spec: { metadata: { name: "b", generateName: "c" }, spec: {} } }),
    ],
  },
  {
    name: "X3 replicas that nobody has set",
    steps: [
      definitions.create(boatDefinition),
      { method: "GET", path: boats, until: '"BoatList"' },
      { method: "POST", path: boats, body: boat },
      { method: "GET", path: `${boats}/a/scale` },
      { method: "PATCH", path: `${boats}/a/scale`, body: { metadata: { labels: { app: "web" } } } },
      { method: "PATCH", path: `${boats}/a/scale`, body: { spec: { replicas: 2 } } },
      { method: "GET", path: `${boats}/a/scale` },
    ],
  },
  {
    name: "R1 questions have no paths of their own",
    steps: [
      { method: "GET", path: "/apis/authorization.k8s.io/v1/subjectaccessreviews" },
      { method: "GET", path: "/apis/authorization.k8s.io/v1/subjectaccessreviews/a" },
      { method: "DELETE", path: "/apis/authorization.k8s.io/v1/subjectaccessreviews/a" },
      { method: "GET", path: "/api/v1/namespaces/refusals/bindings/a" },
      { method: "POST", path: "/api/v1/namespaces/refusals/pods/a", body: {} },
    ],
  },
  {
    name: "D6 deletions that surprise, and the last that is seen of an object",
    steps: [
      { method: "DELETE", path: "/apis/batch/v1/namespaces/refusals/jobs?fieldSelector=metadata.name%3Dnobody" },
      {
        method: "DELETE",
        path: "/apis/batch/v1/namespaces/refusals/jobs?fieldSelector=metadata.name%3Dnobody&propagationPolicy=Background",
      },
      roles.create({ metadata: { name: "a", finalizers: ["example.com/hold"] } }),
      roles.remove("a"),
      roles.replace("a", { metadata: { name: "a" }, rules: [] }),
      maps.create({ metadata: { name: "a" } }),
      { method: "PUT", path: "/api/v1/namespaces/refusals/configmaps/a?dryRun=All", body: { metadata: { name: "a", uid: "x" } } },
      maps.replace("a", { metadata: { name: "a", uid: "x" } }),
    ],
  },
];
