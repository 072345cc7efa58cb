import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const path = "/api/v1/namespaces/deletion/configmaps";
const maps = callsTo(path);
const pods = callsTo("/api/v1/namespaces/deletion/pods");
const deployments = callsTo("/apis/apps/v1/namespaces/deletion/deployments");
const spaces = callsTo("/api/v1/namespaces");
const create = (name: string, metadata: JsonObject = {}): Step => maps.create({ metadata: { name, ...metadata } });
const pod = (name: string, spec: JsonObject = {}): Step =>
  pods.create({ metadata: { name }, spec: { containers: [{ name: "main", image: "nginx" }], ...spec } });
const raw = (name: string, body: string, type = "application/json"): Step => ({
  method: "DELETE",
  path: `${path}/${name}`,
  body,
  headers: { "content-type": type },
});
const collection = (query = "", body?: JsonObject): Step => ({
  method: "DELETE",
  path: path + query,
  ...(body === undefined ? {} : { body }),
});

/** Deleting objects, at once, later and by the dozen. */
export const deletionScenarios: readonly Scenario[] = [
  {
    name: "D1 preconditions",
    steps: [
      create("a"),
      maps.remove("a", { preconditions: { uid: "8a4a4a0e-0000-4000-8000-000000000000" } }),
      maps.remove("a", { preconditions: { resourceVersion: "1" } }),
      maps.remove("a", { preconditions: { uid: "8a4a4a0e-0000-4000-8000-000000000000", resourceVersion: "1" } }),
      maps.remove("a", { preconditions: { uid: "{{0.metadata.uid}}", resourceVersion: "{{0.metadata.resourceVersion}}" } }),
      maps.remove("a", { preconditions: { uid: "{{0.metadata.uid}}" } }),
    ],
  },
  {
    name: "D1 options in body and query",
    steps: [
      ...["a", "b", "c", "d", "e", "f", "g"].map((name) => create(name)),
      maps.remove("a", { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 }),
      maps.remove("b", { kind: "DeleteOptions", apiVersion: "apps/v1", propagationPolicy: "Background" }),
      maps.remove("c", { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", propagationPolicy: "Background" }),
      maps.remove("d", { kind: "ConfigMap", apiVersion: "v1" }),
      maps.remove("d", { kind: "DeleteOptions", apiVersion: "nope/v1" }),
      maps.remove("d", { orphanDependents: true, propagationPolicy: "Background" }),
      maps.remove("d", { propagationPolicy: "Sideways" }),
      maps.remove("d", { dryRun: ["Some"] }),
      maps.remove("d", { dryRun: ["All"] }),
      maps.remove("d", { gracePeriodSeconds: "x" }),
      maps.remove("d", { gracePeriodSeconds: -5 }),
      maps.remove("e", { nonsense: 1 }),
      raw("f", "nonsense"),
      raw("f", "gracePeriodSeconds: 0", "application/yaml"),
      { method: "DELETE", path: `${path}/g?dryRun=All&propagationPolicy=Orphan` },
      { method: "DELETE", path: `${path}/g?propagationPolicy=Orphan&gracePeriodSeconds=10` },
      { method: "DELETE", path: `${path}/g?propagationPolicy=Background` },
      { method: "DELETE", path: `${path}/g?orphanDependents=true&propagationPolicy=Background` },
      { method: "DELETE", path: `${path}/nope?dryRun=All` },
    ],
  },
  {
    name: "D2 what a deletion answers",
    steps: [
      create("a"),
      maps.remove("a"),
      callsTo("/api/v1/namespaces/deletion/services").create({ metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } }),
      callsTo("/api/v1/namespaces/deletion/services").remove("s"),
      callsTo("/api/v1/namespaces/deletion/serviceaccounts").create({ metadata: { name: "s" } }),
      callsTo("/api/v1/namespaces/deletion/serviceaccounts").remove("s"),
      callsTo("/apis/rbac.authorization.k8s.io/v1/namespaces/deletion/roles").create({ metadata: { name: "r" } }),
      callsTo("/apis/rbac.authorization.k8s.io/v1/namespaces/deletion/roles").remove("r"),
      callsTo("/apis/storage.k8s.io/v1/storageclasses").create({ metadata: { name: "deletion" }, provisioner: "p" }),
      callsTo("/apis/storage.k8s.io/v1/storageclasses").remove("deletion"),
    ],
  },
  {
    name: "D3 finalizers",
    steps: [
      create("held", { finalizers: ["example.com/a", "example.com/b"] }),
      maps.remove("held"),
      maps.remove("held"),
      maps.get("held"),
      maps.patch("held", { metadata: { finalizers: ["example.com/b"] } }),
      maps.patch("held", { metadata: { finalizers: ["example.com/b", "example.com/c"] } }),
      maps.patch("held", { data: { k: "v" } }),
      maps.remove("held", { gracePeriodSeconds: 0, propagationPolicy: "Foreground" }),
      maps.replace("held", { metadata: { name: "held" } }),
      maps.get("held"),
      create("again", { finalizers: ["example.com/a"] }),
      maps.remove("again", { dryRun: ["All"] }),
      maps.get("again"),
      maps.remove("again"),
      maps.patch("again", [{ op: "remove", path: "/metadata/finalizers" }], "json"),
      maps.get("again"),
    ],
  },
  {
    name: "D4 propagation policies",
    steps: [
      create("orphan"),
      maps.remove("orphan", { propagationPolicy: "Orphan" }),
      create("foreground"),
      maps.remove("foreground", { propagationPolicy: "Foreground" }),
      maps.remove("foreground", { propagationPolicy: "Background" }),
      create("asked", { finalizers: ["foregroundDeletion"] }),
      maps.remove("asked"),
      maps.remove("asked", { propagationPolicy: "Orphan" }),
      maps.remove("asked", { propagationPolicy: "Background" }),
      create("legacy"),
      maps.remove("legacy", { orphanDependents: true }),
      create("legacy-not"),
      maps.remove("legacy-not", { orphanDependents: false }),
      deployments.create({
        metadata: { name: "web" },
        spec: {
          selector: { matchLabels: { app: "web" } },
          template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "nginx" }] } },
        },
      }),
      deployments.remove("web", { propagationPolicy: "Foreground" }),
      deployments.patch("web", { metadata: { finalizers: null } }),
    ],
  },
  {
    name: "D5 grace",
    steps: [
      pod("unscheduled"),
      pods.remove("unscheduled"),
      pod("scheduled", { nodeName: "n" }),
      pods.remove("scheduled"),
      pods.remove("scheduled"),
      pods.remove("scheduled", { gracePeriodSeconds: 60 }),
      pods.remove("scheduled", { gracePeriodSeconds: 5 }),
      pods.remove("scheduled", { gracePeriodSeconds: 0 }),
      pods.get("scheduled"),
      pod("quick", { nodeName: "n", terminationGracePeriodSeconds: 0 }),
      pods.remove("quick"),
      pod("chosen", { nodeName: "n" }),
      pods.remove("chosen", { gracePeriodSeconds: 7 }),
      pod("negative", { nodeName: "n" }),
      pods.remove("negative", { gracePeriodSeconds: -1 }),
      pods.remove("chosen", { gracePeriodSeconds: 0 }),
      pods.remove("negative", { gracePeriodSeconds: 0 }),
    ],
  },
  {
    name: "D6 collections",
    steps: [
      create("a", { labels: { on: "yes" } }),
      create("b", { labels: { on: "yes" }, finalizers: ["example.com/a"] }),
      create("c"),
      collection("?labelSelector=on%3Dyes"),
      maps.list(),
      collection("?fieldSelector=metadata.name%3Dnope"),
      collection("?labelSelector=a%20b"),
      collection("?limit=1&labelSelector=on%21%3Dyes"),
      collection("", { dryRun: ["All"] }),
      collection("", { kind: "ConfigMap", apiVersion: "v1" }),
      collection(),
      maps.patch("b", { metadata: { finalizers: null } }),
      collection(),
    ],
  },
  {
    name: "D8 namespaces",
    steps: [
      spaces.create({ metadata: { name: "deletion-two" } }),
      spaces.get("deletion-two"),
      spaces.remove("deletion-two"),
      spaces.remove("deletion-two"),
      spaces.get("deletion-two"),
      spaces.patch("deletion-two", { metadata: { labels: { still: "writable" } } }),
      spaces.patch("deletion-two/status", { status: { phase: "Active" } }),
      spaces.replace("deletion-two/finalize", { metadata: { name: "deletion-two" }, spec: { finalizers: ["example.com/other"] } }),
      spaces.replace("deletion-two/finalize", { metadata: { name: "deletion-two" }, spec: { finalizers: [] } }),
      spaces.get("deletion-two"),
      { method: "DELETE", path: "/api/v1/namespaces" },
    ],
  },
];
