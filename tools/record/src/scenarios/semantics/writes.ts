import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const path = "/api/v1/namespaces/writes/configmaps";
const maps = callsTo(path);
const secrets = callsTo("/api/v1/namespaces/writes/secrets");
const deployments = callsTo("/apis/apps/v1/namespaces/writes/deployments");
const leases = callsTo("/apis/coordination.k8s.io/v1/namespaces/writes/leases");
const web: JsonObject = {
  selector: { matchLabels: { app: "web" } },
  template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "nginx" }] } },
};
const raw = (body: string, query = ""): Step => ({ method: "POST", path: path + query, body });
/** `k8s\0` and a message of the type v1 ConfigMap. */
const protobuf = (bytes: readonly number[]): string => Buffer.from([0x6b, 0x38, 0x73, 0, ...bytes]).toString("base64");
const text = (tag: number, value: string): number[] => [tag, value.length, ...Buffer.from(value)];
const message = (tag: number, value: readonly number[]): number[] => [tag, value.length, ...value];
const typed = (kind: string, object: readonly number[]): string =>
  protobuf([...message(0x0a, [...text(0x0a, "v1"), ...text(0x12, kind)]), ...message(0x12, object)]);
const post = (bytes: string): Step => ({
  method: "POST",
  path,
  bytes,
  headers: { "content-type": "application/vnd.kubernetes.protobuf" },
});

/** Creating and replacing objects. */
export const writeScenarios: readonly Scenario[] = [
  {
    name: "C2 what the server says of a new object",
    steps: [
      maps.create({ metadata: { name: "a", labels: { l: "1" }, annotations: { n: "2" } }, data: { k: "v" }, binaryData: { b: "AAEC" } }),
      maps.get("a"),
      deployments.create({
        metadata: { name: "web" },
        spec: web,
        status: { replicas: 5, conditions: [{ type: "Available", status: "True" }] },
      }),
      maps.create({ metadata: { name: "empty", labels: {}, annotations: {}, finalizers: [], ownerReferences: [] }, data: {} }),
      maps.create({ metadata: { name: "nulls", labels: null, annotations: null }, data: null }),
      maps.create({
        metadata: {
          name: "claims",
          deletionTimestamp: "2020-01-01T00:00:00Z",
          generation: 9,
          managedFields: [{ manager: "me", operation: "Update" }],
        },
      }),
    ],
  },
  {
    name: "C2 generated names",
    steps: [
      maps.create({ metadata: { generateName: "gen-" } }),
      maps.create({ metadata: { generateName: "gen-", name: "named" } }),
      maps.create({ metadata: { generateName: "" } }),
      maps.create({ metadata: { name: "", generateName: "" } }),
      maps.create({ metadata: { generateName: "gen-" } }, "?dryRun=All"),
    ],
  },
  {
    name: "C3 what an update cannot change",
    steps: [
      maps.create({ metadata: { name: "a" } }),
      maps.replace("a", {
        metadata: {
          name: "a",
          creationTimestamp: "2020-01-01T00:00:00Z",
          deletionTimestamp: "2020-01-01T00:00:00Z",
          deletionGracePeriodSeconds: 5,
          generation: 9,
          selfLink: "/x",
        },
      }),
      maps.replace("a", { metadata: { name: "a", labels: { l: "1" }, finalizers: ["example.com/hold"] } }),
      maps.remove("a"),
      maps.patch("a", { metadata: { finalizers: ["example.com/hold", "example.com/more"] } }),
      maps.patch("a", { data: { still: "writable" } }),
      maps.patch("a", { metadata: { deletionTimestamp: null } }),
      maps.patch("a", { metadata: { finalizers: [] } }),
    ],
  },
  {
    name: "C4 C5 updates without a revision, and of what is not there",
    steps: [
      maps.create({ metadata: { name: "a" } }),
      maps.replace("a", { metadata: { name: "a" }, data: { k: "v" } }),
      maps.replace("missing", { metadata: { name: "missing" } }),
      leases.replace("new", { metadata: { name: "new" }, spec: { holderIdentity: "me" } }),
      leases.replace("new", { metadata: { name: "new" }, spec: { holderIdentity: "you" } }),
      leases.replace("newer", { metadata: { name: "newer", resourceVersion: "1" } }),
      leases.replace("newest", { metadata: { name: "newest", uid: "8a4a4a0e-0000-4000-8000-000000000000" } }),
      callsTo("/api/v1/namespaces/writes/endpoints").replace("e", { metadata: { name: "e" } }),
    ],
  },
  {
    name: "C6 generations",
    steps: [
      deployments.create({ metadata: { name: "web" }, spec: web }),
      deployments.patch("web", { metadata: { labels: { l: "1" } } }),
      deployments.patch("web", { spec: { replicas: 3 } }),
      deployments.patch("web", { spec: { replicas: 3 } }),
      deployments.patch("web", { metadata: { generation: 50 } }),
      deployments.patch("web/status", { status: { observedGeneration: 2, replicas: 3 } }),
      deployments.patch("web", { metadata: { finalizers: ["example.com/hold"] } }),
      deployments.remove("web"),
      deployments.remove("web"),
      deployments.patch("web", { metadata: { finalizers: null } }),
    ],
  },
  {
    name: "C7 the status has a path of its own",
    steps: [
      deployments.create({ metadata: { name: "web" }, spec: web }),
      deployments.patch("web", { status: { replicas: 7 } }),
      deployments.replace("web/status", { metadata: { name: "web", labels: { l: "1" } }, spec: { replicas: 9 }, status: { replicas: 2 } }),
      deployments.patch("web/status", { metadata: { annotations: { n: "1" } }, spec: { replicas: 9 }, status: { readyReplicas: 2 } }),
      deployments.get("web/status"),
      deployments.patch("web/status", { status: { replicas: -1 } }),
      deployments.replace("web/status", { metadata: { name: "other" }, status: {} }),
      deployments.replace("nope/status", { metadata: { name: "nope" }, spec: web, status: {} }),
    ],
  },
  {
    name: "C10 dry run",
    steps: [
      maps.create({ metadata: { name: "dry" }, data: { k: "v" } }, "?dryRun=All"),
      maps.get("dry"),
      maps.create({ metadata: { name: "a" } }),
      maps.create({ metadata: { name: "a" } }, "?dryRun=All"),
      { method: "PUT", path: `${path}/a?dryRun=All`, body: { metadata: { name: "a" }, data: { k: "v" } } },
      { method: "PATCH", path: `${path}/a?dryRun=All`, body: { data: { k: "w" } } },
      { method: "DELETE", path: `${path}/a?dryRun=All` },
      { method: "DELETE", path: `${path}?dryRun=All` },
      { method: "PUT", path: "/apis/coordination.k8s.io/v1/namespaces/writes/leases/dry?dryRun=All", body: { metadata: { name: "dry" } } },
      maps.get("a"),
      maps.create({ metadata: { name: "B" } }, "?dryRun=All"),
    ],
  },
  {
    name: "C11 unknown and repeated fields",
    steps: [
      maps.create({ metadata: { name: "warned", nope: 1 }, spec: { x: 1 }, data: { k: "v" } }),
      maps.create({ metadata: { name: "ignored" }, spec: {} }, "?fieldValidation=Ignore"),
      maps.create({ metadata: { name: "strict" }, spec: {} }, "?fieldValidation=Strict"),
      maps.create({ metadata: { name: "strict", nope: 1 }, spec: {}, more: {} }, "?fieldValidation=Strict"),
      raw('{"metadata":{"name":"twice","name":"twice"},"data":{"k":"v","k":"w"},"data":{"z":"1"}}'),
      raw('{"metadata":{"name":"strict"},"data":{"k":"v","k":"w"}}', "?fieldValidation=Strict"),
      raw('{"metadata":{"name":"both"},"data":{"k":"v","k":"w"},"spec":1}', "?fieldValidation=Strict"),
      deployments.create({ metadata: { name: "deep" }, spec: { ...web, strategy: { type: "Recreate", nope: 1 }, replica: 3 } }),
      deployments.create({ metadata: { name: "strict" }, spec: { ...web, replica: 3, strategy: { nope: {} } } }, "?fieldValidation=Strict"),
      maps.create({ metadata: { name: "case" }, Data: { k: "v" }, IMMUTABLE: true }),
      { method: "PUT", path: `${path}/warned?fieldValidation=Strict`, body: { metadata: { name: "warned" }, nope: 1 } },
      { method: "PUT", path: `${path}/warned`, body: { metadata: { name: "warned" }, nope: 1 } },
      { method: "PATCH", path: `${path}/warned?fieldValidation=Strict`, body: { nope: 1 } },
      { method: "PATCH", path: `${path}/warned`, body: { nope: 1, data: { a: "b" } } },
      { method: "PATCH", path: `${path}/warned?fieldValidation=Strict`, body: '{"data":{"a":"1","a":"2"}}' },
      {
        method: "PATCH",
        path: `${path}/warned?fieldValidation=Strict`,
        body: { nope: 1 },
        headers: { "content-type": "application/strategic-merge-patch+json" },
      },
      {
        method: "PATCH",
        path: `${path}/warned?fieldValidation=Strict`,
        body: [{ op: "add", path: "/nope", value: 1 }],
        headers: { "content-type": "application/json-patch+json" },
      },
      {
        method: "PATCH",
        path: `${path}/warned?fieldManager=m&fieldValidation=Strict`,
        body: { apiVersion: "v1", kind: "ConfigMap", nope: 1 },
        headers: { "content-type": "application/apply-patch+yaml" },
      },
      raw('{"metadata":{"name":"proto","labels":{"constructor":"a"}},"data":{"__proto__":"x","toString":"y"}}'),
      raw('{"metadata":{"name":"strict"},"__proto__":{"a":1},"constructor":1}', "?fieldValidation=Strict"),
    ],
  },
  {
    name: "C15 objects that say they are immutable, and secrets",
    steps: [
      maps.create({ metadata: { name: "fixed" }, data: { k: "v" }, immutable: true }),
      maps.patch("fixed", { data: { k: "w" } }),
      maps.patch("fixed", { immutable: false }),
      maps.patch("fixed", { metadata: { labels: { may: "change" } } }),
      secrets.create({ metadata: { name: "s" }, stringData: { user: "me" }, data: { pass: "AAEC" } }),
      secrets.patch("s", { stringData: { user: "you" } }),
      secrets.patch("s", { type: "other" }),
      secrets.create({ metadata: { name: "t" }, type: "kubernetes.io/tls" }),
    ],
  },
  {
    name: "C16 numbers that are large",
    steps: [
      raw('{"metadata":{"name":"big","generation":9007199254740993}}'),
      { method: "POST", path: "/apis/apps/v1/namespaces/writes/deployments", body: '{"metadata":{"name":"n"},"spec":{"replicas":2.0}}' },
      { method: "POST", path: "/apis/apps/v1/namespaces/writes/deployments", body: '{"metadata":{"name":"n"},"spec":{"replicas":1e2}}' },
      { method: "POST", path: "/apis/apps/v1/namespaces/writes/deployments", body: '{"metadata":{"name":"n"},"spec":{"replicas":-0}}' },
    ],
  },
  {
    name: "C1 protobuf bodies",
    steps: [
      post(typed("ConfigMap", [...message(0x0a, text(0x0a, "proto")), ...message(0x12, [...text(0x0a, "k"), ...text(0x12, "v")])])),
      maps.get("proto"),
      post(typed("Secret", message(0x0a, text(0x0a, "proto")))),
      post(typed("Nope", message(0x0a, text(0x0a, "proto")))),
      post(typed("ConfigMap", [0x0a, 0x7f, 1])),
      post(Buffer.from("not protobuf").toString("base64")),
      post(""),
      post(protobuf([])),
      {
        method: "PUT",
        path: `${path}/proto`,
        bytes: typed("ConfigMap", [...message(0x0a, text(0x0a, "proto")), ...message(0x12, [...text(0x0a, "k"), ...text(0x12, "w")])]),
        headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      },
    ],
  },
  {
    name: "C12 owners are named once",
    steps: [
      maps.create({ metadata: { name: "owner" } }),
      maps.create({
        metadata: {
          name: "owned",
          ownerReferences: [
            { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{{0.metadata.uid}}" },
            { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{{0.metadata.uid}}" },
          ],
        },
      }),
    ],
  },
];
